// SPDX-License-Identifier: Apache-2.0

#include "tests/support/array_file.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace kernels {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicBytes = 6;
// The data begin at a multiple of this.
constexpr size_t kAlignment = 64;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error(path.string() + ": " + what);
}

// 'u', 'i' or 'f' where NumPy has the type.
char letterOf(ElementType type) {
  const ElementInfo& info = elementInfo(type);
  if (info.kind == ElementKind::Unsigned) return 'u';
  if (info.kind == ElementKind::Signed) return 'i';
  const bool is_ieee = (info.bits == 16 && info.exponent_bits == 5) || info.bits >= 32;
  return is_ieee ? 'f' : '\0';
}

std::string describe(ElementType type) {
  const ElementInfo& info = elementInfo(type);
  const char letter = letterOf(type);
  return std::string(info.bits == 8 ? "|" : "<") + (letter == '\0' ? 'u' : letter) +
         std::to_string(info.bytes());
}

// What stands behind a key of the header, which is a Python dictionary.
std::string valueOf(const std::filesystem::path& path, const std::string& header,
                    const std::string& key) {
  const size_t at = header.find("'" + key + "':");
  if (at == std::string::npos) fail(path, "its header has no '" + key + "'");
  const size_t start = header.find_first_not_of(' ', at + key.size() + 3);
  if (start == std::string::npos) fail(path, "its header ends too soon");
  if (header[start] == '\'')
    return header.substr(start + 1, header.find('\'', start + 1) - start - 1);
  return header.substr(start, header.find(',', start) - start);
}

void checkType(const std::filesystem::path& path, const std::string& found, ElementType type) {
  const ElementInfo& info = elementInfo(type);
  const char letter = letterOf(type);
  bool fits = found.size() >= 3 && found.substr(2) == std::to_string(info.bytes()) &&
              (found[0] == '<' || found[0] == '|' || found[0] == '=');
  if (fits)
    fits = letter == '\0' ? found[1] == 'u' || found[1] == 'V'
                          : found[1] == letter || (found[1] == 'b' && type == ElementType::U8);
  if (!fits)
    fail(path,
         "has elements of type '" + found + "'; " + info.name + " is '" + describe(type) + "'");
}

}  // namespace

std::vector<std::byte> readArray(const std::filesystem::path& path, ElementType type) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) fail(path, "cannot be read");
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  size_t data = 0;
  if (path.extension() == ".npy") {
    if (whole.size() < kMagicBytes + 6 || std::memcmp(whole.data(), kMagic, kMagicBytes) != 0)
      fail(path, "is no .npy file");
    const bool is_first = whole[kMagicBytes] == 1;
    auto byte = [&](size_t at) {
      return static_cast<size_t>(static_cast<unsigned char>(whole[at]));
    };
    const size_t start = kMagicBytes + (is_first ? 4 : 6);
    const size_t length = byte(8) | byte(9) << 8 | (is_first ? 0 : byte(10) << 16 | byte(11) << 24);
    data = start + length;
    if (data > whole.size()) fail(path, "ends within its header");
    const std::string header = whole.substr(start, length);
    checkType(path, valueOf(path, header, "descr"), type);
    if (valueOf(path, header, "fortran_order") != "False")
      fail(path,
           "is in Fortran order; numpy.ascontiguousarray() gives the order that is read here");
  }
  std::vector<std::byte> bytes(whole.size() - data);
  std::memcpy(bytes.data(), whole.data() + data, bytes.size());
  if (bytes.size() % elementInfo(type).bytes() != 0)
    fail(path, "has " + std::to_string(bytes.size()) + " bytes, which is no multiple of the " +
                   std::to_string(elementInfo(type).bytes()) + " of " + elementInfo(type).name);
  return bytes;
}

void writeNpy(const std::filesystem::path& path, ElementType type, std::span<const uint64_t> shape,
              std::span<const std::byte> memory) {
  std::string header = "{'descr': '" + describe(type) + "', 'fortran_order': False, 'shape': (";
  for (const uint64_t length : shape) header += std::to_string(length) + ",";
  header += "), }";
  constexpr size_t kStart = kMagicBytes + 4;
  header.append(kAlignment - 1 - (kStart + header.size()) % kAlignment, ' ');
  header += '\n';
  std::vector<std::byte> whole(kStart + header.size() + memory.size());
  std::memcpy(whole.data(), kMagic, kMagicBytes);
  whole[kMagicBytes] = std::byte{1};
  whole[kStart - 2] = static_cast<std::byte>(header.size() & 0xff);
  whole[kStart - 1] = static_cast<std::byte>(header.size() >> 8);
  std::memcpy(whole.data() + kStart, header.data(), header.size());
  std::memcpy(whole.data() + kStart + header.size(), memory.data(), memory.size());
  writeBytes(path, whole);
}

void writeBytes(const std::filesystem::path& path, std::span<const std::byte> memory) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written =
      file != nullptr && std::fwrite(memory.data(), 1, memory.size(), file) == memory.size();
  if (file == nullptr || std::fclose(file) != 0 || !is_written) fail(path, "cannot be written");
}

}  // namespace kernels
