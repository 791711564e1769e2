// Random programs compiled and run, held against the interpreter, each in a process of its own.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "runtime/cpu_features.h"

namespace jit::test {

// How a program is compiled and run.
struct RandomRun {
  rt::Isa isa;
  uint32_t subgroup_size;
};

// All runs of the program that `seed` stands for, without the statements `left_out`. Empty when
// all gave what the interpreter gave; otherwise what went wrong first, be it a crash.
std::string checkRandomProgram(uint64_t seed, const std::vector<RandomRun>& runs,
                               const std::set<uint64_t>& left_out = {});

// Statements that a failing program can do without and still fail.
std::set<uint64_t> reduceRandomProgram(uint64_t seed, const std::vector<RandomRun>& runs);

// SPIR-V assembly of the program.
std::string describeRandomProgram(uint64_t seed, const std::set<uint64_t>& left_out);

}  // namespace jit::test
