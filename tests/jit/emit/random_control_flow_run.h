// SPDX-License-Identifier: Apache-2.0

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

// Every instruction set of this machine with every subgroup size.
std::vector<RandomRun> allRuns();

// Runs a shader that uses no other resources than those of random_control_flow_module.h, and reads
// and writes memory in no other ways than random programs do. Empty when all runs gave what the
// interpreter gave; otherwise what went wrong first, be it a crash. The initial data depend on
// `seed`.
std::string checkShader(const std::vector<uint32_t>& words, const std::vector<RandomRun>& runs,
                        uint64_t seed = 0);

// All runs of the program that `seed` stands for, without the statements `left_out`: as
// checkShader.
std::string checkRandomProgram(uint64_t seed, const std::vector<RandomRun>& runs,
                               const std::set<uint64_t>& left_out = {});

// Statements that a failing program can do without and still fail.
std::set<uint64_t> reduceRandomProgram(uint64_t seed, const std::vector<RandomRun>& runs);

// SPIR-V assembly of the program.
std::string describeRandomProgram(uint64_t seed, const std::set<uint64_t>& left_out);

}  // namespace jit::test
