// SPDX-License-Identifier: Apache-2.0

// What is written of a dispatch: a kernel file with directives alone (tests/kernels/README.md), the
// module, and the bytes of buffers.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>

#include "icd/capture.h"
#include "runtime/quantity.h"
#include "runtime/write_all.h"

namespace icd {
namespace {

// Of memory that is compared, or written unless it is all 0.
constexpr size_t kPieceBytes = size_t{64} << 10;

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::runtime_error(path.string() + " cannot be written: " + std::strerror(error));
}

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path, int flags)
      : path_(path), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) fail(path_, errno);
  }
  ~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  int descriptor() const { return descriptor_; }

  void write(std::span<const std::byte> bytes, uint64_t offset) {
    if (!rt::writeAll(descriptor_, bytes, static_cast<off_t>(offset))) fail(path_, errno);
  }
  // Some file systems find only here that there is no room.
  void finish(uint64_t bytes) {
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail(path_, errno);
    const int closed = close(std::exchange(descriptor_, -1));
    if (closed != 0) fail(path_, errno);
  }

 private:
  const std::filesystem::path path_;
  int descriptor_;
};

bool isZero(std::span<const std::byte> bytes) {
  return bytes[0] == std::byte{0} &&
         std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

class NoRoom : public std::runtime_error {
 public:
  explicit NoRoom(const Capture& capture)
      : std::runtime_error("it would pass TESSERA_CAPTURE_LIMIT, " +
                           rt::describeBytes(capture.limit())) {}
};

// Where nothing but 0 is, the file has a hole.
void writeFile(Capture& capture, const std::filesystem::path& path,
               std::span<const std::byte> bytes) {
  OutputFile file(path, O_WRONLY | O_CREAT | O_EXCL);
  for (size_t at = 0; at < bytes.size(); at += kPieceBytes) {
    const auto piece = bytes.subspan(at, std::min(kPieceBytes, bytes.size() - at));
    if (isZero(piece)) continue;
    if (!capture.reserve(piece.size())) throw NoRoom(capture);
    file.write(piece, at);
  }
  file.finish(bytes.size());
}

void writeFile(Capture& capture, const std::filesystem::path& path, const std::string& text) {
  writeFile(capture, path, std::as_bytes(std::span(text)));
}

// Whether a file, which is as long, has something else.
bool differs(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const OutputFile file(path, O_RDONLY);
  void* mapped = mmap(nullptr, bytes.size(), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (mapped == MAP_FAILED) fail(path, errno);
  const bool result = std::memcmp(mapped, bytes.data(), bytes.size()) != 0;
  munmap(mapped, bytes.size());
  return result;
}

// A name that directives can have and that is none of their words.
std::string nameFor(const std::string& given, size_t number) {
  if (given.empty()) return "buffer" + std::to_string(number);
  std::string name;
  for (const char c : given.substr(0, 64))
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  const bool is_short = name.size() < 5;  // as names of types are
  if (is_short || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "buffer_" + name;
  return name;
}

// Numbers of a buffer, in words if it is whole words.
const char* typeOf(uint64_t bytes) { return bytes % 4 == 0 ? "u32" : "u8"; }
std::string lengthOf(uint64_t bytes) { return std::to_string(bytes % 4 == 0 ? bytes / 4 : bytes); }

}  // namespace

// --- what there is

// Two of one place are one.
size_t CapturedDispatch::addBuffer(const rt::MemoryMap::NamedBuffer& buffer) {
  const auto [range, given] = buffer;
  for (size_t k = 0; k < buffers_.size(); ++k)
    if (buffers_[k].range.begin == range.begin && buffers_[k].range.end == range.end) return k;
  std::string name = nameFor(given, buffers_.size() + 1);
  const bool is_taken =
      std::ranges::any_of(buffers_, [&](const Buffer& known) { return known.name == name; });
  if (is_taken) name += "_" + std::to_string(buffers_.size() + 1);
  buffers_.push_back({range, std::move(name)});
  return buffers_.size() - 1;
}

void CapturedDispatch::find(Descriptor& descriptor, uint64_t address, uint64_t bytes) {
  const auto range = capture_->memory().bufferAt(address, bytes);
  if (!range) return;
  const auto found = std::ranges::find_if(live_, [&](const rt::MemoryMap::NamedBuffer& buffer) {
    return buffer.range.object == range->object;
  });
  if (found == live_.end()) return;
  descriptor.buffer = addBuffer(*found);
  descriptor.offset = address - range->begin;
  descriptor.bytes = bytes;
}

void CapturedDispatch::gatherSet(uint32_t set) {
  const std::byte* memory = args_.sets[set];
  if (layouts_[set] == nullptr || memory == nullptr) return;
  for (const DescriptorBinding& binding : layouts_[set]->bindings) {
    const std::byte* at = memory + binding.offset;
    if (isInline(binding.type)) {
      inline_blocks_.push_back({set, binding.binding, {at, at + binding.count}});
      continue;
    }
    const bool is_uniform = binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                            binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    for (uint32_t element = 0; element < binding.count; ++element) {
      rt::BufferDescriptor descriptor;
      std::memcpy(&descriptor, at + element * sizeof descriptor, sizeof descriptor);
      Descriptor found{
          .set = set, .binding = binding.binding, .element = element, .is_uniform = is_uniform};
      uint64_t address = reinterpret_cast<uintptr_t>(descriptor.address);
      if (isDynamic(binding.type))
        address += args_.dynamic_offsets[first_dynamic_[set] + binding.first_dynamic + element];
      if (descriptor.size != 0) find(found, address, descriptor.size);
      // Arrays have their bindings by their first element.
      if (found.buffer || element == 0) descriptors_.push_back(found);
    }
  }
}

void CapturedDispatch::gather() {
  buffers_.clear();
  descriptors_.clear();
  inline_blocks_.clear();
  std::copy_n(args_.workgroup_count, groups_.size(), groups_.begin());
  if (counts_ != nullptr) std::memcpy(groups_.data(), counts_, sizeof groups_);
  live_ = capture_->memory().buffers();
  if (shader_->uses_addresses)
    for (const rt::MemoryMap::NamedBuffer& buffer : live_) addBuffer(buffer);
  for (uint32_t set = 0; set < rt::kMaxDescriptorSets; ++set) gatherSet(set);
}

// --- what is written

void CapturedDispatch::writeBefore() const {
  writeFile(*capture_, folder_ / "shader.spv", std::as_bytes(std::span(shader_->words)));
  for (const Buffer& buffer : buffers_)
    writeFile(*capture_, folder_ / (buffer.name + ".bin"), buffer.contents());
  for (const InlineBlock& block : inline_blocks_)
    writeFile(*capture_,
              folder_ / ("inline_" + std::to_string(block.set) + "_" +
                         std::to_string(block.binding) + ".bin"),
              block.data);
}

// What is expected of the buffers that have changed.
std::string CapturedDispatch::writeAfter() const {
  std::string expectations;
  for (const Buffer& buffer : buffers_) {
    if (!differs(folder_ / (buffer.name + ".bin"), buffer.contents())) continue;
    writeFile(*capture_, folder_ / (buffer.name + ".after.bin"), buffer.contents());
    expectations += "expect " + buffer.name + " = file \"" + buffer.name + ".after.bin\"\n";
  }
  // Without one, nothing would be looked at.
  if (expectations.empty() && !buffers_.empty())
    expectations = "expect " + buffers_[0].name + " = file \"" + buffers_[0].name + ".bin\"\n";
  return expectations;
}

std::string CapturedDispatch::describeShader() const {
  std::string text = "# " + (shader_->name.empty() ? "A shader without a name" : shader_->name) +
                     ", dispatch " + std::to_string(number_) + " of its process.\n" +
                     "module \"shader.spv\"\ntolerated\n";
  if (shader_->is_robust_device)
    text += "robust\n";
  else if (shader_->is_robust)
    text += "robust pipeline\n";
  return text;
}

std::string CapturedDispatch::describeMemory() const {
  std::string text;
  auto place = [](uint32_t set, uint32_t binding) {
    return " set " + std::to_string(set) + " binding " + std::to_string(binding);
  };
  for (const Buffer& buffer : buffers_) {
    const uint64_t bytes = buffer.range.bytes();
    text += "buffer " + buffer.name + " " + typeOf(bytes) + "[" + lengthOf(bytes) + "]";
    if (shader_->uses_addresses) text += " address " + rt::describeAddress(buffer.range.begin);
    text += " = file \"" + buffer.name + ".bin\"\n";
  }
  for (const Descriptor& descriptor : descriptors_) {
    const std::string where = place(descriptor.set, descriptor.binding) + " element " +
                              std::to_string(descriptor.element) +
                              (descriptor.is_uniform ? " uniform" : "");
    if (descriptor.buffer)
      text += "bind " + buffers_[*descriptor.buffer].name + where + " at " +
              std::to_string(descriptor.offset) + " range " + std::to_string(descriptor.bytes) +
              "\n";
    else
      text += "buffer null_" + std::to_string(descriptor.set) + "_" +
              std::to_string(descriptor.binding) + "_" + std::to_string(descriptor.element) +
              " u32[1]" + where + " null\n";
  }
  for (const InlineBlock& block : inline_blocks_) {
    const std::string name =
        "inline_" + std::to_string(block.set) + "_" + std::to_string(block.binding);
    text += "buffer " + name + " u8[" + std::to_string(block.data.size()) + "]" +
            place(block.set, block.binding) + " inline = file \"" + name + ".bin\"\n";
  }
  text += "entry \"" + shader_->entry_point + "\"\n";
  for (const auto& [id, value] : shader_->specializations) {
    uint64_t number = 0;
    std::memcpy(&number, value.data(), std::min(value.size(), sizeof number));
    text += "spec " + std::to_string(id) + " = u" + std::to_string(8 * value.size()) + " " +
            std::to_string(number) + "\n";
  }
  for (uint32_t at = 0; at < shader_->push_bytes; at += 4) {
    uint32_t word;
    std::memcpy(&word, args_.push_constants + at, sizeof word);
    text += (at == 0 ? "push u32 " : ", u32 ") + std::to_string(word);
  }
  if (shader_->push_bytes != 0) text += "\n";
  text += "subgroup " + std::to_string(shader_->subgroup_size) +
          (shader_->full_subgroups ? " full" : "") + "\n";
  auto triple = [](const uint32_t* numbers) {
    return " " + std::to_string(numbers[0]) + " " + std::to_string(numbers[1]) + " " +
           std::to_string(numbers[2]);
  };
  text += "dispatch" + triple(groups_.data());
  const bool has_base =
      std::ranges::any_of(args_.base_workgroup, [](uint32_t b) { return b != 0; });
  return text + (has_base ? " base" + triple(args_.base_workgroup) : "") + "\n";
}

void CapturedDispatch::giveUp(const std::string& why) {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  folder_.clear();
  capture_->stop("dispatch " + std::to_string(number_) + ": " + why);
}

void CapturedDispatch::begin() {
  try {
    folder_.clear();
    const std::optional<uint64_t> number = capture_->next(*shader_);
    if (!number) return;
    number_ = *number;
    const std::filesystem::path folder = capture_->folderOf(number_);
    std::error_code error;
    std::filesystem::create_directories(folder.parent_path(), error);
    if (!std::filesystem::create_directory(folder, error))
      return capture_->stop(error ? folder.string() + " cannot be made: " + error.message()
                                  : folder.string() + " is there already; take an empty folder");
    folder_ = folder;
    gather();
    writeBefore();
  } catch (const std::exception& failure) {
    giveUp(failure.what());
  }
}

void CapturedDispatch::end() {
  if (folder_.empty()) return;
  try {
    const std::string expectations = writeAfter();
    // The last file: what has it is whole.
    writeFile(*capture_, folder_ / "dispatch.kernel",
              describeShader() + describeMemory() + expectations);
  } catch (const std::exception& failure) {
    giveUp(failure.what());
  }
}

}  // namespace icd
