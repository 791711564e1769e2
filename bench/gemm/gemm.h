// SPDX-License-Identifier: Apache-2.0

// The matrix product as shaders with cooperative matrices, in several forms, on a Vulkan device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/gemm/gemm_data.h"
#include "tests/support/vulkan_host.h"

namespace bench {

// The last two have matrices of workgroup scope, 128 x 256 and 128 x 128 of C.
enum class GemmForm : uint8_t { OneTile, Blocked, Staged, WideWorkgroup, SquareWorkgroup };
inline constexpr GemmForm kGemmForms[] = {GemmForm::OneTile, GemmForm::Blocked, GemmForm::Staged,
                                          GemmForm::WideWorkgroup, GemmForm::SquareWorkgroup};
const char* gemmFormName(GemmForm form);  // "1 tile", "4x4 tiles", "staged", "wg 128x256"

// Of a subgroup: rows and columns of C, elements of K.
struct GemmTile {
  uint32_t side = 0, depth = 0;
};

struct GemmOptions {
  GemmForm form = GemmForm::Blocked;
  uint32_t stage_k = 0;            // elements of K at a time; 0: what the type has in the table
  uint32_t extra_stride = 0;       // elements added to every row of A, B and C
  bool reversed_bindings = false;  // C, B, A instead of A, B, C
  std::string describe() const;    // "4x4 tiles, stride +48, C B A"
};

// What most clients' shaders have.
GemmTile usualTile(GemmType type);
// The usual one if the device lists it, or else its first square one; empty when it has none.
GemmTile findTile(const host::Device& device, GemmType type);

// The compiled shader's words; what the pipeline is made of.
std::vector<uint32_t> compileGemm(GemmType type, const GemmOptions& options, GemmTile tile);

// Why the device cannot run this type in this form; empty when it can.
std::string findMissing(const host::Device& device, GemmType type, GemmForm form);

// A device with exactly the features that these shaders need, as far as it has them.
std::unique_ptr<host::Device> makeGemmDevice(host::Instance& instance,
                                             const host::PhysicalDevice& physical);

// One product with its buffers. The forms of whole tiles get matrices that are padded with zeros to
// multiples of their block; the work that counts is the product's own.
class Gemm {
 public:
  Gemm(const host::Device& device, const GemmData& data, const GemmOptions& options);
  // As above with the shader already compiled, for this tile.
  Gemm(const host::Device& device, const GemmData& data, const GemmOptions& options,
       const std::vector<uint32_t>& spirv, GemmTile tile);

  void run() const;  // one dispatch, submitted and waited for
  GemmError check() const;

 private:
  void fill(std::span<const std::byte> elements, uint32_t rows, uint32_t columns, uint32_t stride,
            const host::Buffer& buffer) const;

  const host::Device& device_;
  const GemmData& data_;
  uint32_t c_stride_ = 0;
  std::unique_ptr<host::ComputePipeline> pipeline_;
  std::unique_ptr<host::Buffer> a_, b_, c_;
  std::unique_ptr<host::DescriptorSets> descriptors_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

}  // namespace bench
