// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/gemm_rows.h"

namespace bench {
namespace {

enum class Registers : uint8_t { Best, Of256, Moved };

GemmRow makeRow(GemmType type, GemmForm form, uint32_t stage_k, GemmSize size, Registers registers,
                double target, ShareOf share_of) {
  GemmRow row{type, {}, size, registers == Registers::Of256, target, share_of};
  row.options.form = form;
  row.options.stage_k = stage_k;
  if (registers == Registers::Moved) {
    row.options.extra_stride = 48;
    row.options.reversed_bindings = true;
  }
  return row;
}

constexpr GemmSize kCube = {1024, 1024, 1024};

}  // namespace

std::string GemmRow::name() const {
  return options.describe() + " " + gemmTypeInfo(type).name + " " + size.describe() +
         (avx2 ? " avx2" : "");
}

PeakKind GemmRow::peak() const { return avx2 ? PeakKind::F32Of256 : gemmTypeInfo(type).peak; }

std::string GemmRow::base() const {
  GemmRow base = *this;
  base.size = kCube;
  if (share_of == ShareOf::Unstaged) base.options = {};
  return share_of == ShareOf::Unstaged || share_of == ShareOf::Cube ? base.name() : "";
}

std::vector<GemmRow> gemmRows() {
  return {
#define GEMM_ROW(type, form, stage_k, size, registers, target, share_of)                        \
  makeRow(GemmType::type, GemmForm::form, stage_k, GemmSize size, Registers::registers, target, \
          ShareOf::share_of),
#include "bench/gemm/gemm_rows.def"
  };
}

}  // namespace bench
