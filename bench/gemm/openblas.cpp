// SPDX-License-Identifier: Apache-2.0

// OpenBLAS, through the C interface to BLAS.
#include <cstring>

#include "bench/gemm/library.h"

namespace bench {
namespace {

constexpr int kRowMajor = 101, kNoTranspose = 111;  // of cblas.h

template <typename T>
using GemmFunction = void(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha,
                          const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc);

class OpenBlas : public Library {
 public:
  OpenBlas() : library_({"libopenblas.so.0", "libopenblas.so"}) {
    library_.load(single_, "cblas_sgemm");
    library_.load(double_, "cblas_dgemm");
    library_.load(config_, "openblas_get_config");
    library_.load(core_, "openblas_get_corename");
  }

  std::string describe() const override {
    // "OpenBLAS 0.3.34 NO_AFFINITY ..."
    const std::string config = config_();
    return config.substr(0, config.find(' ', config.find(' ') + 1)) + " for " + core_();
  }

  std::string prepare(const GemmData& data) override {
    if (data.type() != GemmType::F32 && data.type() != GemmType::F64) return "no such product";
    data_ = &data;
    const auto [m, n, k] = data.size();
    a_ = AlignedBytes(data.a().size());
    b_ = AlignedBytes(data.b().size());
    c_ = AlignedBytes(static_cast<size_t>(m) * n * data.info().output_bytes);
    std::memcpy(a_.data(), data.a().data(), data.a().size());
    std::memcpy(b_.data(), data.b().data(), data.b().size());
    return "";
  }

  void run() override {
    if (data_->type() == GemmType::F32)
      multiply<float>(single_);
    else
      multiply<double>(double_);
  }

  GemmError check() const override { return checkProduct(*data_, c_.data(), data_->size().n); }

 private:
  template <typename T>
  void multiply(GemmFunction<T>* function) {
    const int m = static_cast<int>(data_->size().m), n = static_cast<int>(data_->size().n),
              k = static_cast<int>(data_->size().k);
    function(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, T(1),
             reinterpret_cast<const T*>(a_.data()), k, reinterpret_cast<const T*>(b_.data()), n,
             T(0), reinterpret_cast<T*>(c_.data()), n);
  }

  SharedLibrary library_;
  GemmFunction<float>* single_ = nullptr;
  GemmFunction<double>* double_ = nullptr;
  char* (*config_)() = nullptr;
  char* (*core_)() = nullptr;
  const GemmData* data_ = nullptr;
  AlignedBytes a_, b_, c_;
};

}  // namespace

std::unique_ptr<Library> openOpenBlas() { return std::make_unique<OpenBlas>(); }

}  // namespace bench
