// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_tensor.h"

#include <algorithm>
#include <optional>
#include <string>

#include "runtime/kernel_library/site_report.h"
#include "runtime/kernel_library/tensor_elements.h"

namespace rt {

void checkTensor(const DispatchArgs* dispatch, const char* site, const CheckedTensor* tensor,
                 const TensorForm* form, const TensorState* state) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    CheckedWorkgroup workgroup{};
    std::copy_n(tensor->workgroup, 3, workgroup.id);
    workgroup.subgroup = tensor->subgroup;
    const SiteReport report(dispatch, site, workgroup);
    const MemoryMap& memory = report.checker().memory();
    uint64_t size = tensor->size, offset = tensor->offset;
    const uint64_t address = tensor->base + offset;
    if (tensor->by_address != 0) {
      const auto buffer = memory.bufferAt(address, 1);
      size = buffer ? buffer->bytes() : 0;
      offset = size != 0 ? address - buffer->begin : 0;
    }
    const uint64_t left = offset < size ? (size - offset) / form->component_bytes : 0;
    const TensorElements elements(*form, *state, tensor->is_store != 0);
    if (elements.most() < left) return;
    uint64_t outside = 0;
    uint32_t first_row = 0, first_column = 0, first = 0;
    for (uint32_t row = 0; row < form->rows; ++row)
      for (uint32_t column = 0; column < form->columns; ++column) {
        const std::optional<uint32_t> element = elements.of(row, column);
        if (!element || *element < left) continue;
        if (outside++ != 0) continue;
        first_row = row;
        first_column = column;
        first = *element;
      }
    if (outside == 0) return;
    report.add(FindingKind::TensorBounds, [&](Finding& finding) {
      finding.is_store = tensor->is_store != 0;
      finding.what = std::string(finding.is_store ? "a store" : "a load") +
                     " of a matrix through a tensor layout leads outside" + ofObject(finding.site) +
                     ": row " + std::to_string(first_row) + ", column " +
                     std::to_string(first_column) + " is element " + std::to_string(first) +
                     " of the tensor, which " +
                     offsetText(offset + uint64_t{first} * form->component_bytes, size);
      finding.details.push_back(std::to_string(outside) + " of " +
                                std::to_string(uint64_t{form->rows} * form->columns) +
                                " elements of a " + std::to_string(form->rows) + "x" +
                                std::to_string(form->columns) + " matrix are outside");
      describeBuffer(memory, address, finding);
    });
  });
}

}  // namespace rt
