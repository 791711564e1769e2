// SPDX-License-Identifier: Apache-2.0

#include "bench/suite/kernel.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tests/support/kernel_check.h"

namespace bench {
namespace {

std::filesystem::path pathOf(const KernelRow& row, const char* extension) {
  return std::filesystem::path(TESSERA_SUITE_FOLDER) / (std::string(row.name) + extension);
}

// The words of the push constants, which must not depend on buffers or addresses.
std::vector<uint32_t> pushWords(const kernels::Dispatch& dispatch) {
  std::vector<uint32_t> words(dispatch.push_bytes / 4);
  kernels::Scope scope;
  scope.variables.assign({0, 0});
  for (const kernels::PackedValue& value : dispatch.push) {
    const uint64_t bits = encode(value.type, value.value(scope));
    std::memcpy(reinterpret_cast<std::byte*>(words.data()) + value.offset, &bits,
                kernels::elementInfo(value.type).bytes());
  }
  return words;
}

std::string compareBuffer(const kernels::Buffer& buffer, const kernels::Tolerance& tolerance,
                          std::span<const std::byte> got, std::span<const std::byte> expected) {
  const uint32_t bytes = kernels::elementInfo(buffer.type).bytes();
  for (size_t at = 0; at < expected.size(); at += bytes) {
    uint64_t got_bits = 0, expected_bits = 0;
    std::memcpy(&got_bits, &got[at], bytes);
    std::memcpy(&expected_bits, &expected[at], bytes);
    if (accepts(tolerance, buffer.type, got_bits, decode(buffer.type, expected_bits))) continue;
    return buffer.name + "[" + std::to_string(at / bytes) + "] is " +
           format(decode(buffer.type, got_bits)) + ", in C++ " +
           format(decode(buffer.type, expected_bits));
  }
  return "";
}

}  // namespace

BufferSet::BufferSet(const Contents& contents) {
  for (const std::vector<std::byte>& bytes : contents) {
    memory_.emplace_back(bytes.size());
    add({memory_.back().data(), bytes.size()});
  }
  assign(contents);
}

BufferSet::BufferSet(const host::Device& device, const Contents& contents) {
  for (const std::vector<std::byte>& bytes : contents) {
    buffers_.push_back(std::make_shared<host::Buffer>(device, bytes.size()));
    add(buffers_.back()->memory().first(bytes.size()));
  }
  assign(contents);
}

void BufferSet::add(std::span<std::byte> memory) {
  pointers_.push_back(memory.data());
  spans_.push_back(memory);
}

void BufferSet::assign(const Contents& contents) const {
  for (size_t k = 0; k < contents.size(); ++k) std::ranges::copy(contents[k], spans_[k].begin());
}

SuiteKernel::SuiteKernel(const KernelRow& row) : row_(row) {
  for (kernels::KernelSource& source : kernels::readKernelSources(pathOf(row, ".comp")))
    spellings_.push_back(kernels::parseKernel(std::move(source)));
  const kernels::Kernel& first = spellings_.front();
  if (!first.peer || first.buffers.size() != row.buffers || first.dispatches.size() != 1)
    throw std::runtime_error(std::string(row.name) +
                             ".comp and its C++ function do not belong to each other");
  kernels::Scope scope;
  for (const kernels::Buffer& buffer : first.buffers)
    contents_.emplace_back(buffer.bytes, kernels::kUnwritten);
  scope.before = contents_;
  for (size_t k = 0; k < contents_.size(); ++k) fillBuffer(first, k, scope, contents_[k]);
  push_ = pushWords(first.dispatches.front());

  const BufferSet buffers(contents_);
  row.peer(pushed(), buffers.pointers());
  for (const std::span<std::byte> memory : buffers.spans())
    expected_.emplace_back(memory.begin(), memory.end());
}

bool SuiteKernel::differsInWidth(const kernels::Kernel& spelling) const {
  const auto parameter = [](const kernels::Kernel& kernel, const char* key) {
    const auto found = kernel.source.parameters.find(key);
    return found == kernel.source.parameters.end() ? "" : found->second;
  };
  return parameter(spelling, "WIDTH") != parameter(spellings_.front(), "WIDTH") ||
         parameter(spelling, "PADDING") != parameter(spellings_.front(), "PADDING");
}

std::string SuiteKernel::compare(std::span<const std::span<std::byte>> results) const {
  const kernels::Kernel& first = spellings_.front();
  for (size_t k = 0; k < expected_.size(); ++k) {
    const std::span<const std::byte> result = results[k].first(expected_[k].size());
    std::string wrong = compareBuffer(first.buffers[k], *first.peer, result, expected_[k]);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::filesystem::path SuiteKernel::besides(const char* extension) const {
  const std::filesystem::path path = pathOf(row_, extension);
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

}  // namespace bench
