#include "jit/coopmat/layout.h"

#include <algorithm>

namespace jit::coopmat {
namespace {

uint32_t elements(const MappedMatrix& matrix) { return matrix.rows * matrix.columns; }

}  // namespace

uint32_t length(Mapping mapping, const MappedMatrix& matrix) {
  switch (mapping) {
    case Mapping::Native:
      return std::max(1u, (elements(matrix) + matrix.invocations - 1) / matrix.invocations);
  }
  return 0;
}

std::optional<uint32_t> element(Mapping mapping, const MappedMatrix& matrix, uint32_t invocation,
                                uint32_t index) {
  switch (mapping) {
    case Mapping::Native: {
      uint64_t flat = uint64_t{index} * matrix.invocations + invocation;
      if (flat < elements(matrix)) return static_cast<uint32_t>(flat);
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> firstContiguous(Mapping mapping, const MappedMatrix& matrix,
                                        uint32_t index) {
  switch (mapping) {
    case Mapping::Native:
      return element(mapping, matrix, 0, index);
  }
  return std::nullopt;
}

}  // namespace jit::coopmat
