// SPDX-License-Identifier: Apache-2.0

// Memory of random programs: regions, what is in them, and places for matrices.
#pragma once

#include <cstdint>

#include "tests/matrix/facts.h"
#include "tests/matrix/program.h"
#include "tests/matrix/random.h"

namespace matrices {

enum class Contents : uint8_t {
  Small,    // whole numbers whose sums stay exact
  Real,     // between -2 and 2
  Wide,     // the type's whole range
  Special,  // small ones, and some at the ends: infinities, NaN, zeros, the least and the greatest
  Divisor,  // from 1 to 7
  Unwritten
};

// A number of the type as bits.
uint64_t randomBits(Random& random, ElementType type, Contents contents);

class Regions {
 public:
  Regions(Random& random, const Facts& facts, Program& program)
      : random_(random), facts_(facts), program_(program) {}

  // A region for matrices of the component type whose lines are line_bytes long: units are a size
  // that divides them. It has no bytes yet.
  uint32_t add(ElementType component, uint32_t line_bytes, bool workgroup);
  // One that Stage can copy from.
  uint32_t addLike(uint32_t region);

  struct Shape {
    MatrixType type;
    bool store;
    uint32_t tile_rows = 1, tile_columns = 1;  // of matrices side by side
    bool shared = false;                       // the same for all, if it may be
  };
  // Place of the first of the tiles, with the region made as large as it must be.
  Place place(uint32_t region, const Shape& shape);
  // On to another tile of the same shape.
  static uint32_t tileOffset(const Place& place, const MatrixType& type, uint32_t component_bytes,
                             uint32_t row, uint32_t column);
  void fill(uint32_t region, Contents contents);
  // Sometimes: what lies behind is out of bounds.
  void cutOff(uint32_t region);
  uint32_t sharedBytes() const;

 private:
  // How many matrices of the scope there are, of a workgroup in Storage::Workgroup and of all
  // workgroups elsewhere.
  uint32_t instances(const Region& region, Scope scope) const;

  Random& random_;
  const Facts& facts_;
  Program& program_;
};

}  // namespace matrices
