// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/api_objects.h"

#include <algorithm>

#include "tests/support/shader_compiler.h"

namespace fuzz {
namespace {

constexpr const char* kShaders[] = {
    R"(#version 450
layout(local_size_x = 32) in;
layout(constant_id = 3) const uint kFactor = 2;
layout(binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint offset, stride; };
void main() { data[offset + gl_GlobalInvocationID.x * stride] += kFactor; })",
    R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 1) uniform Block { uvec4 words[16]; };
layout(binding = 2) buffer Data { uint data[]; } all[3];
shared uint sum;
void main() {
  if (gl_LocalInvocationIndex == 0) sum = 0;
  barrier();
  atomicAdd(sum, words[gl_LocalInvocationIndex % 16].y);
  barrier();
  all[gl_WorkGroupID.x % 3].data[gl_GlobalInvocationID.y] = sum + all[2].data.length();
})",
    R"(#version 450
layout(local_size_x_id = 0) in;
layout(set = 1, binding = 0) buffer From { uvec4 from[]; };
layout(set = 3, binding = 0) buffer To { uvec4 to[]; };
void main() { to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x + 1]; })",
    R"(#version 450
void main() {})",
};

constexpr VkDescriptorType kTypes[] = {
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC};

}  // namespace

ApiObjects::ApiObjects(const api_test::Functions& vk, VkDevice device, uint64_t seed)
    : vk(vk), device(device), random_(seed) {
  static const auto compiled = [] {
    std::vector<std::vector<uint32_t>> words;
    for (const char* shader : kShaders) words.push_back(host::compileGlsl(shader, "api.comp", {}));
    return words;
  }();
  for (const std::vector<uint32_t>& words : compiled) {
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = words.size() * 4,
                                        .pCode = words.data()};
    modules.emplace_back();
    expectGood("vkCreateShaderModule",
               vk.vkCreateShaderModule(device, &info, nullptr, &modules.back()));
  }
}

ApiObjects::~ApiObjects() {
  for (const QueryPool& pool : query_pools) vk.vkDestroyQueryPool(device, pool.handle, nullptr);
  for (VkPipelineCache cache : caches) vk.vkDestroyPipelineCache(device, cache, nullptr);
  for (const Pipeline& pipeline : pipelines) vk.vkDestroyPipeline(device, pipeline.handle, nullptr);
  for (const auto& layout : layouts) vk.vkDestroyPipelineLayout(device, layout->handle, nullptr);
  for (VkDescriptorPool pool : pools) vk.vkDestroyDescriptorPool(device, pool, nullptr);
  for (const auto& layout : set_layouts)
    vk.vkDestroyDescriptorSetLayout(device, layout->handle, nullptr);
  for (const Buffer& buffer : buffers) vk.vkDestroyBuffer(device, buffer.handle, nullptr);
  for (const Memory& memory : memories) vk.vkFreeMemory(device, memory.handle, nullptr);
  for (VkShaderModule module : modules) vk.vkDestroyShaderModule(device, module, nullptr);
}

uint64_t ApiObjects::place(uint64_t size, uint64_t alignment) {
  if (careful) return below(size) / alignment * alignment;
  switch (below(16)) {
    case 0:
      return size;
    case 1:
      return size + alignment * below(4);
    case 2:
      return below(size) + 1;
    case 3:
      return ~uint64_t{0} - below(3) * alignment;
    case 4:
      return uint64_t{1} << below(64);
    default:
      return oneIn(2) ? 0 : below(size) / alignment * alignment;
  }
}

uint64_t ApiObjects::extent(uint64_t size, uint64_t offset, uint64_t alignment) {
  const uint64_t rest = offset < size ? size - offset : 0;
  if (careful) return std::max(below(rest + 1) / alignment, uint64_t{1}) * alignment;
  switch (below(12)) {
    case 0:
      return VK_WHOLE_SIZE;
    case 1:
      return rest + below(2 * alignment);
    case 2:
      return ~uint64_t{0} - below(100);
    case 3:
      return below(3);
    default:
      return oneIn(3) ? rest : below(rest + 1) / alignment * alignment;
  }
}

void ApiObjects::expectGood(const char* call, VkResult result) {
  const bool no_memory =
      result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if ((result >= 0 && result != VK_TIMEOUT) || no_memory) return;
  if (complaint.empty()) complaint = std::string(call) + " returned " + std::to_string(result);
}

void ApiObjects::call() {
  using Call = void (ApiObjects::*)();
  static constexpr Call kCalls[] = {
      &ApiObjects::makeBuffer,   &ApiObjects::allocateMemory,
      &ApiObjects::bindBuffer,   &ApiObjects::bindBuffer,
      &ApiObjects::map,          &ApiObjects::makeSetLayout,
      &ApiObjects::makePool,     &ApiObjects::allocateSets,
      &ApiObjects::updateSets,   &ApiObjects::updateSets,
      &ApiObjects::updateSets,   &ApiObjects::makeLayout,
      &ApiObjects::makePipeline, &ApiObjects::useCache,
      &ApiObjects::useQueries,   &ApiObjects::useBinaries,
  };
  (this->*kCalls[below(std::size(kCalls))])();
}

void ApiObjects::makeBuffer() {
  uint64_t size = 4 * (1 + below(1000));
  if (oneIn(10)) size = oneIn(2) ? 0 : uint64_t{1} << below(64);
  const bool valid = size != 0 && size < uint64_t{1} << 30;
  const VkBufferCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .flags = oneIn(20) ? static_cast<VkBufferCreateFlags>(below(256)) : 0,
      .size = size,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  const VkResult result = vk.vkCreateBuffer(device, &info, nullptr, &buffer);
  if (valid && info.flags == 0) expectGood("vkCreateBuffer", result);
  if (result == VK_SUCCESS) buffers.push_back({buffer, size, false});
}

void ApiObjects::allocateMemory() {
  uint64_t size = 64 * (1 + below(200));
  if (oneIn(10)) size = oneIn(2) ? 0 : uint64_t{1} << below(64);
  const VkMemoryAllocateInfo info{
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = size,
      .memoryTypeIndex = oneIn(20) ? static_cast<uint32_t>(below(40)) : 0};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const VkResult result = vk.vkAllocateMemory(device, &info, nullptr, &memory);
  if (size != 0 && info.memoryTypeIndex == 0) expectGood("vkAllocateMemory", result);
  if (result == VK_SUCCESS) memories.push_back({memory, size, false});
}

void ApiObjects::bindBuffer() {
  Buffer* buffer = any(buffers);
  Memory* memory = any(memories);
  if (buffer == nullptr || memory == nullptr || (buffer->bound && !oneIn(20))) return;
  VkMemoryRequirements needs;
  vk.vkGetBufferMemoryRequirements(device, buffer->handle, &needs);
  const uint64_t offset = place(memory->size, needs.alignment);
  const bool valid = !buffer->bound && offset % needs.alignment == 0 && offset <= memory->size &&
                     needs.size <= memory->size - offset;
  const VkResult result = vk.vkBindBufferMemory(device, buffer->handle, memory->handle, offset);
  if (valid) expectGood("vkBindBufferMemory", result);
  buffer->bound |= result == VK_SUCCESS;
}

void ApiObjects::map() {
  Memory* memory = any(memories);
  if (memory == nullptr) return;
  const uint64_t offset = place(memory->size, 1), size = extent(memory->size, offset, 1);
  const VkMappedMemoryRange range{.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                  .memory = memory->handle,
                                  .offset = offset,
                                  .size = size};
  if (memory->mapped) {
    vk.vkFlushMappedMemoryRanges(device, 1, &range);
    vk.vkInvalidateMappedMemoryRanges(device, 1, &range);
    vk.vkUnmapMemory(device, memory->handle);
    memory->mapped = false;
    return;
  }
  void* data = nullptr;
  const VkResult result = vk.vkMapMemory(device, memory->handle, offset, size, 0, &data);
  const bool inside = offset < memory->size &&
                      (size == VK_WHOLE_SIZE || (size != 0 && size <= memory->size - offset));
  if (inside) expectGood("vkMapMemory", result);
  if (result != VK_SUCCESS) return;
  memory->mapped = true;
  const uint64_t bytes = size == VK_WHOLE_SIZE ? memory->size - offset : size;
  if (bytes == 0) return;
  static_cast<volatile uint8_t*>(data)[0] = 1;
  static_cast<volatile uint8_t*>(data)[bytes - 1] = 2;
}

void ApiObjects::makeSetLayout() {
  auto layout = std::make_unique<SetLayout>();
  std::vector<VkDescriptorBindingFlags> flags;
  for (uint32_t binding = 0, count = static_cast<uint32_t>(below(5)); binding < count; ++binding) {
    VkDescriptorSetLayoutBinding one{.binding = binding,
                                     .descriptorType = kTypes[below(std::size(kTypes))],
                                     .descriptorCount = static_cast<uint32_t>(below(5)),
                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    if (oneIn(10)) one.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    if (oneIn(20)) one.descriptorType = static_cast<VkDescriptorType>(below(12));
    if (oneIn(20)) one.descriptorCount = static_cast<uint32_t>(uint64_t{1} << below(32));
    layout->bindings.push_back(one);
    flags.push_back(oneIn(10) ? static_cast<uint32_t>(below(16)) : 0);
  }
  const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = static_cast<uint32_t>(flags.size()),
      .pBindingFlags = flags.data()};
  const VkDescriptorSetLayoutCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .pNext = &flags_info,
      .flags = oneIn(10) ? static_cast<uint32_t>(below(4)) : 0,
      .bindingCount = static_cast<uint32_t>(layout->bindings.size()),
      .pBindings = layout->bindings.data()};
  VkDescriptorSetLayoutSupport support{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
  vk.vkGetDescriptorSetLayoutSupport(device, &info, &support);
  const VkResult result = vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &layout->handle);
  if (support.supported) expectGood("vkCreateDescriptorSetLayout", result);
  if (result == VK_SUCCESS) set_layouts.push_back(std::move(layout));
}

void ApiObjects::makePool() {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64};
  const VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                        .maxSets = static_cast<uint32_t>(below(8)),
                                        .poolSizeCount = 1,
                                        .pPoolSizes = &size};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (vk.vkCreateDescriptorPool(device, &info, nullptr, &pool) == VK_SUCCESS) pools.push_back(pool);
}

void ApiObjects::allocateSets() {
  VkDescriptorPool* pool = any(pools);
  if (pool == nullptr || set_layouts.empty()) return;
  std::vector<const SetLayout*> chosen(1 + below(3));
  std::vector<VkDescriptorSetLayout> handles;
  for (const SetLayout*& layout : chosen) {
    layout = any(set_layouts)->get();
    handles.push_back(layout->handle);
  }
  const std::vector<uint32_t> counts(chosen.size(), static_cast<uint32_t>(below(100)));
  const VkDescriptorSetVariableDescriptorCountAllocateInfo variable{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
      .descriptorSetCount = static_cast<uint32_t>(counts.size()),
      .pDescriptorCounts = counts.data()};
  const VkDescriptorSetAllocateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .pNext = oneIn(4) ? &variable : nullptr,
      .descriptorPool = *pool,
      .descriptorSetCount = static_cast<uint32_t>(handles.size()),
      .pSetLayouts = handles.data()};
  std::vector<VkDescriptorSet> made(handles.size());
  if (vk.vkAllocateDescriptorSets(device, &info, made.data()) != VK_SUCCESS) return;
  for (size_t i = 0; i < made.size(); ++i) sets.push_back({made[i], chosen[i]});
}

void ApiObjects::updateSets() {
  Set* set = any(sets);
  Set* other = any(sets);
  if (set == nullptr) return;
  const auto& bindings = set->layout->bindings;
  std::vector<VkDescriptorBufferInfo> infos(below(6));
  for (VkDescriptorBufferInfo& info : infos) {
    const Buffer* buffer = any(buffers);
    if (buffer == nullptr || oneIn(8)) {
      info = {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
      continue;
    }
    const uint64_t offset = place(buffer->size, 16);
    info = {buffer->handle, offset, extent(buffer->size, offset, 4)};
  }
  std::array<uint32_t, 64> block{};
  const VkWriteDescriptorSetInlineUniformBlock inline_block{
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
      .dataSize = static_cast<uint32_t>(std::min<uint64_t>(256, 4 * below(80))),
      .pData = block.data()};
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                             .dstSet = set->handle,
                             .dstBinding = static_cast<uint32_t>(below(bindings.size() + 1)),
                             .dstArrayElement = oneIn(3) ? static_cast<uint32_t>(below(6)) : 0,
                             .descriptorCount = static_cast<uint32_t>(infos.size()),
                             .descriptorType = kTypes[below(std::size(kTypes))],
                             .pBufferInfo = infos.data()};
  if (write.dstBinding < bindings.size())
    write.descriptorType = bindings[write.dstBinding].descriptorType;
  if (write.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    write.pNext = &inline_block;
    write.descriptorCount = inline_block.dataSize;
    write.dstArrayElement *= 4;
  }
  if (oneIn(30)) write.dstArrayElement = ~0u - static_cast<uint32_t>(below(3));
  const VkCopyDescriptorSet copy{.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                 .srcSet = set->handle,
                                 .srcBinding = static_cast<uint32_t>(below(5)),
                                 .srcArrayElement = static_cast<uint32_t>(below(4)),
                                 .dstSet = other->handle,
                                 .dstBinding = static_cast<uint32_t>(below(5)),
                                 .dstArrayElement = static_cast<uint32_t>(below(4)),
                                 .descriptorCount = static_cast<uint32_t>(below(6))};
  vk.vkUpdateDescriptorSets(device, 1, &write, oneIn(3) ? 1 : 0, &copy);
}

void ApiObjects::makeLayout() {
  auto layout = std::make_unique<Layout>();
  std::vector<VkDescriptorSetLayout> chosen(below(oneIn(10) ? 12 : 5));
  for (VkDescriptorSetLayout& handle : chosen) {
    layout->sets.push_back(set_layouts.empty() || oneIn(8) ? nullptr : any(set_layouts)->get());
    handle = layout->sets.back() != nullptr ? layout->sets.back()->handle : VK_NULL_HANDLE;
  }
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
  const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                        .setLayoutCount = static_cast<uint32_t>(chosen.size()),
                                        .pSetLayouts = chosen.data(),
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range};
  if (vk.vkCreatePipelineLayout(device, &info, nullptr, &layout->handle) == VK_SUCCESS)
    layouts.push_back(std::move(layout));
}

void ApiObjects::makePipeline() {
  if (layouts.empty()) return;
  const Layout* layout = any(layouts)->get();
  const uint32_t values[] = {static_cast<uint32_t>(below(70)), static_cast<uint32_t>(below(9))};
  const VkSpecializationMapEntry entries[] = {
      {0, 0, 4}, {3, oneIn(8) ? ~0u : 4u, oneIn(8) ? size_t{8} : size_t{4}}};
  const VkSpecializationInfo specialization{2, entries, sizeof values, values};
  VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = oneIn(8) ? static_cast<uint32_t>(VK_PIPELINE_CREATE_DISPATCH_BASE_BIT) : 0,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = modules[below(modules.size())],
                .pName = oneIn(20) ? "other" : "main",
                .pSpecializationInfo = &specialization},
      .layout = layout->handle};
  const std::vector<VkComputePipelineCreateInfo> infos(1 + below(2), info);
  std::vector<VkPipeline> made(infos.size());
  VkPipelineCache* cache = any(caches);
  vk.vkCreateComputePipelines(device, cache != nullptr ? *cache : VK_NULL_HANDLE,
                              static_cast<uint32_t>(infos.size()), infos.data(), nullptr,
                              made.data());
  for (VkPipeline pipeline : made)
    if (pipeline != VK_NULL_HANDLE) pipelines.push_back({pipeline, layout});
}

void ApiObjects::useCache() {
  std::vector<uint8_t> data;
  if (VkPipelineCache* cache = any(caches)) {
    size_t size = 0;
    expectGood("vkGetPipelineCacheData", vk.vkGetPipelineCacheData(device, *cache, &size, nullptr));
    data.resize(size + 1);
    if (oneIn(2)) size = below(size + 1);
    expectGood("vkGetPipelineCacheData",
               vk.vkGetPipelineCacheData(device, *cache, &size, data.data()));
    data.resize(size);
    expectGood("vkMergePipelineCaches",
               vk.vkMergePipelineCaches(device, *any(caches), 1, any(caches)));
  }
  if (caches.size() >= 4) return;
  const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                       .initialDataSize = data.size(),
                                       .pInitialData = data.data()};
  caches.emplace_back();
  expectGood("vkCreatePipelineCache",
             vk.vkCreatePipelineCache(device, &info, nullptr, &caches.back()));
}

}  // namespace fuzz
