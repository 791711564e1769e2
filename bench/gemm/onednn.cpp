// SPDX-License-Identifier: Apache-2.0

// oneDNN's matrix product of plain row-major matrices, as a program calls it that has such: weights
// in the library's own layout would be made before, and the product be another. Through its C
// interface (version 3). Only optimised implementations count: its reference is there for all
// types, and slow.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/gemm/library.h"

namespace bench {
namespace {

// The part of oneDNN's C interface that is called here; names and numbers are its own.
struct Engine;
struct Stream;
struct Description;
struct Memory;
struct PrimitiveDescription;
struct Primitive;
struct Argument {
  int index;
  Memory* memory;
};
struct Version {
  int major, minor, patch;
  const char* hash;
  unsigned cpu_runtime, gpu_runtime;
};
using Dimensions = int64_t[12];
enum DataType { kF16 = 1, kBf16 = 2, kF32 = 3, kS32 = 4, kS8 = 5, kU8 = 6, kF64 = 7, kE4m3 = 10 };
constexpr int kCpu = 1, kDefaultFlags = 1, kSource = 1, kDestination = 17, kWeights = 33;
constexpr int kImplementation = 8;  // dnnl_query_impl_info_str

struct Functions {
  explicit Functions(const SharedLibrary& library) {
    library.load(version, "dnnl_version");
    library.load(engineCreate, "dnnl_engine_create");
    library.load(streamCreate, "dnnl_stream_create");
    library.load(streamWait, "dnnl_stream_wait");
    library.load(describeMemory, "dnnl_memory_desc_create_with_strides");
    library.load(destroyDescription, "dnnl_memory_desc_destroy");
    library.load(describeMatmul, "dnnl_matmul_primitive_desc_create");
    library.load(destroyMatmul, "dnnl_primitive_desc_destroy");
    library.load(query, "dnnl_primitive_desc_query");
    library.load(primitiveCreate, "dnnl_primitive_create");
    library.load(primitiveDestroy, "dnnl_primitive_destroy");
    library.load(memoryCreate, "dnnl_memory_create");
    library.load(memoryDestroy, "dnnl_memory_destroy");
    library.load(execute, "dnnl_primitive_execute");
  }
  const Version* (*version)();
  int (*engineCreate)(Engine**, int kind, size_t index);
  int (*streamCreate)(Stream**, Engine*, unsigned flags);
  int (*streamWait)(Stream*);
  int (*describeMemory)(Description**, int dimensions, const int64_t* sizes, int type,
                        const int64_t* strides);
  int (*destroyDescription)(Description*);
  int (*describeMatmul)(PrimitiveDescription**, Engine*, const Description* source,
                        const Description* weights, const Description* bias,
                        const Description* destination, const void* attributes);
  int (*destroyMatmul)(PrimitiveDescription*);
  int (*query)(const PrimitiveDescription*, int what, int index, void* result);
  int (*primitiveCreate)(Primitive**, const PrimitiveDescription*);
  int (*primitiveDestroy)(Primitive*);
  int (*memoryCreate)(Memory**, const Description*, Engine*, void* handle);
  int (*memoryDestroy)(Memory*);
  int (*execute)(const Primitive*, Stream*, int count, const Argument*);
};

struct Types {
  DataType a, b, c;
};

Types typesOf(GemmType type) {
  switch (type) {
    case GemmType::F32:
      return {kF32, kF32, kF32};
    case GemmType::F16:
      return {kF16, kF16, kF32};
    case GemmType::Bf16:
      return {kBf16, kBf16, kF32};
    case GemmType::S8:
      return {kS8, kS8, kS32};
    case GemmType::U8:
      // The nearest that it has: its B is signed. The result is another one, but the work the same.
      return {kU8, kS8, kS32};
    case GemmType::F64:
      return {kF64, kF64, kF64};
    case GemmType::E4m3:
      break;
  }
  return {kE4m3, kE4m3, kF32};
}

class OneDnn : public Library {
 public:
  OneDnn() : library_({"libdnnl.so.3", "libdnnl.so"}), dnnl_(library_) {
    if (dnnl_.version()->major != 3) throw std::runtime_error("its version is not 3");
    require(dnnl_.engineCreate(&engine_, kCpu, 0));
    require(dnnl_.streamCreate(&stream_, engine_, kDefaultFlags));
  }
  // The engine and the stream live as long as the process.
  ~OneDnn() override { release(); }

  std::string describe() const override {
    const Version* version = dnnl_.version();
    return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
  }

  std::string prepare(const GemmData& data) override {
    release();
    data_ = &data;
    const auto [m, n, k] = data.size();
    const Types types = typesOf(data.type());
    const bool known = describeMatrix(kA, m, k, types.a) && describeMatrix(kB, k, n, types.b) &&
                       describeMatrix(kC, m, n, types.c);
    PrimitiveDescription* matmul = nullptr;
    if (!known || dnnl_.describeMatmul(&matmul, engine_, descriptions_[kA], descriptions_[kB],
                                       nullptr, descriptions_[kC], nullptr) != 0)
      return "no such product on this processor";
    const char* implementation = "";
    dnnl_.query(matmul, kImplementation, 0, static_cast<void*>(&implementation));
    implementation_ = implementation;
    const bool reference = std::strncmp(implementation, "ref", 3) == 0;
    if (!reference) require(dnnl_.primitiveCreate(&primitive_, matmul));
    dnnl_.destroyMatmul(matmul);
    if (reference) return "only a reference on this processor";

    bytes_[kA] = AlignedBytes(data.a().size());
    bytes_[kB] = AlignedBytes(data.b().size());
    bytes_[kC] = AlignedBytes(static_cast<size_t>(m) * n * data.info().output_bytes);
    std::memcpy(bytes_[kA].data(), data.a().data(), data.a().size());
    std::memcpy(bytes_[kB].data(), data.b().data(), data.b().size());
    for (int k = 0; k < kMatrices; ++k)
      require(dnnl_.memoryCreate(&memories_[k], descriptions_[k], engine_, bytes_[k].data()));
    return "";
  }

  void run() override {
    const Argument arguments[] = {
        {kSource, memories_[kA]}, {kWeights, memories_[kB]}, {kDestination, memories_[kC]}};
    require(dnnl_.execute(primitive_, stream_, kMatrices, arguments));
    require(dnnl_.streamWait(stream_));
  }

  GemmError check() const override {
    if (data_->type() == GemmType::U8) return checkSignedB();
    return checkProduct(*data_, bytes_[kC].data(), data_->size().n);
  }

  std::string implementation() const override { return implementation_; }

 private:
  enum Matrix { kA, kB, kC, kMatrices };

  static void require(int status) {
    if (status != 0) throw std::runtime_error("oneDNN failed, status " + std::to_string(status));
  }

  bool describeMatrix(Matrix which, uint32_t rows, uint32_t columns, DataType type) {
    const Dimensions sizes = {rows, columns}, strides = {columns, 1};
    return dnnl_.describeMemory(&descriptions_[which], 2, sizes, type, strides) == 0;
  }

  // Of u8 by s8 there is no model: C x = A (B x) for a random x instead, which is exact in integers
  // and which a wrong C passes with a probability of 2^-16.
  GemmError checkSignedB() const {
    const auto [m, n, k] = data_->size();
    std::vector<int64_t> x(n), product(k);
    uint64_t state = 1;
    for (int64_t& element : x) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      element = static_cast<int64_t>(state >> 48);
    }
    for (size_t row = 0; row < k; ++row) {
      for (size_t column = 0; column < n; ++column)
        product[row] += int64_t{static_cast<int8_t>(data_->b()[row * n + column])} * x[column];
    }
    GemmError error;
    for (size_t row = 0; row < m; ++row) {
      int64_t difference = 0;
      for (size_t l = 0; l < k; ++l)
        difference += int64_t{static_cast<uint8_t>(data_->a()[row * k + l])} * product[l];
      for (size_t column = 0; column < n; ++column) {
        int32_t value;
        std::memcpy(&value, bytes_[kC].data() + (row * n + column) * sizeof(value), sizeof(value));
        difference -= int64_t{value} * x[column];
      }
      if (difference != 0) error = {static_cast<double>(difference), false};
    }
    return error;
  }

  void release() {
    if (primitive_ != nullptr) dnnl_.primitiveDestroy(primitive_);
    primitive_ = nullptr;
    for (int k = 0; k < kMatrices; ++k) {
      if (memories_[k] != nullptr) dnnl_.memoryDestroy(memories_[k]);
      if (descriptions_[k] != nullptr) dnnl_.destroyDescription(descriptions_[k]);
      memories_[k] = nullptr;
      descriptions_[k] = nullptr;
    }
  }

  SharedLibrary library_;
  Functions dnnl_;
  Engine* engine_ = nullptr;
  Stream* stream_ = nullptr;
  const GemmData* data_ = nullptr;
  std::string implementation_;
  Primitive* primitive_ = nullptr;
  Description* descriptions_[kMatrices] = {};
  Memory* memories_[kMatrices] = {};
  AlignedBytes bytes_[kMatrices];
};

}  // namespace

std::unique_ptr<Library> openOneDnn() { return std::make_unique<OneDnn>(); }

}  // namespace bench
