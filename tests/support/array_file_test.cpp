// SPDX-License-Identifier: Apache-2.0

// Arrays of numbers in files, and kernel files that name such files.
#include "tests/support/array_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <span>

#include "tests/support/kernel_check.h"
#include "tests/support/kernel_file.h"

namespace kernels {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ArrayFileTest : public testing::Test {
 protected:
  ArrayFileTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("array_file_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ArrayFileTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  // As NumPy writes it, in version 1 of the format.
  std::filesystem::path writeNumpy(const std::string& name, const std::string& header,
                                   const std::string& data) const {
    const auto length = static_cast<uint16_t>(header.size());
    return write(name, std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(length & 0xff) +
                           static_cast<char>(length >> 8) + header + data);
  }

  const std::filesystem::path folder_;
};

template <typename T>
std::string bytesOf(std::initializer_list<T> numbers) {
  return {reinterpret_cast<const char*>(std::data(numbers)), numbers.size() * sizeof(T)};
}

std::string textOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string errorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

constexpr char kFloats[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }          \n";

TEST_F(ArrayFileTest, ReadsWhatNumPyWrites) {
  const std::string data = bytesOf({1.0f, -2.0f, 0.5f});
  EXPECT_EQ(textOf(readArray(writeNumpy("a.npy", kFloats, data), ElementType::F32)), data);
  EXPECT_EQ(textOf(readArray(write("a.bin", data), ElementType::U8)), data);
}

TEST_F(ArrayFileTest, ReadsLongHeaders) {
  std::string header = kFloats;
  header.insert(header.size() - 1, 70000, ' ');
  const auto length = static_cast<uint32_t>(header.size());
  const std::string data = bytesOf({1.0f, -2.0f, 0.5f});
  const auto file =
      write("a.npy", std::string("\x93NUMPY\x02\0", 8) + bytesOf({length}) + header + data);
  EXPECT_EQ(textOf(readArray(file, ElementType::F32)), data);
}

TEST_F(ArrayFileTest, WritesWhatItReads) {
  for (const ElementType type :
       {ElementType::U8, ElementType::S64, ElementType::F16, ElementType::BF16, ElementType::E4M3,
        ElementType::F32, ElementType::F64}) {
    std::vector<std::byte> memory(6 * elementInfo(type).bytes());
    for (size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<std::byte>(3 * k);
    const uint64_t shape[] = {2, 3};
    writeNpy(folder_ / "b.npy", type, shape, memory);
    EXPECT_EQ(readArray(folder_ / "b.npy", type), memory) << elementInfo(type).name;
    std::ifstream file(folder_ / "b.npy", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ((whole.size() - memory.size()) % 64, 0u);
    EXPECT_THAT(whole, HasSubstr("'shape': (2,3,)"));
  }
}

TEST_F(ArrayFileTest, SaysWhatIsWrong) {
  const std::string data = bytesOf({1.0f, -2.0f, 0.5f});
  auto error = [&](const std::string& header, ElementType type) {
    return errorOf([&] { readArray(writeNumpy("a.npy", header, data), type); });
  };
  EXPECT_THAT(error(kFloats, ElementType::F16),
              AllOf(HasSubstr("a.npy: has elements of type '<f4'"), HasSubstr("f16 is '<f2'")));
  EXPECT_THAT(error(kFloats, ElementType::U32), HasSubstr("u32 is '<u4'"));
  EXPECT_THAT(
      error("{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }\n", ElementType::F32),
      HasSubstr("of type '>f4'"));
  EXPECT_THAT(error("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }\n", ElementType::F32),
              HasSubstr("Fortran order; numpy.ascontiguousarray()"));
  EXPECT_THAT(error("{'shape': (3,), }\n", ElementType::F32), HasSubstr("no 'descr'"));
  EXPECT_THAT(error("{'descr':", ElementType::F32), HasSubstr("ends too soon"));
  EXPECT_THAT(
      errorOf([&] { readArray(write("a.npy", "nonsense that is long enough"), ElementType::U8); }),
      HasSubstr("is no .npy file"));
  EXPECT_THAT(errorOf([&] {
                readArray(write("a.npy", std::string("\x93NUMPY\x01\0\xff\xff", 10) + "{}"),
                          ElementType::U8);
              }),
              HasSubstr("ends within its header"));
  EXPECT_THAT(errorOf([&] { readArray(write("a.bin", "12345"), ElementType::U32); }),
              HasSubstr("has 5 bytes, which is no multiple of the 4 of u32"));
  EXPECT_THAT(errorOf([&] { readArray(folder_ / "none", ElementType::U8); }),
              HasSubstr("cannot be read"));
  EXPECT_THAT(errorOf([&] { readArray(folder_, ElementType::U8); }), HasSubstr("cannot be read"));
  EXPECT_THAT(errorOf([&] { writeBytes(folder_ / "none" / "x", {}); }),
              HasSubstr("cannot be written"));
}

// --- kernel files

class FileValuesTest : public ArrayFileTest {
 protected:
  Kernel parse(const std::string& text, const std::vector<std::string>& more = {}) const {
    std::vector<KernelSource> sources = readKernelSources(write("k.kernel", text), more);
    return parseKernel(std::move(sources.at(0)));
  }
  std::string parseError(const std::string& text) const {
    return errorOf([&] { parse(text); });
  }
};

TEST_F(FileValuesTest, BuffersHaveWhatFilesHave) {
  writeNumpy("a.npy", kFloats, bytesOf({1.0f, -2.0f, 0.5f}));
  const Kernel kernel = parse(
      "# a comment\nmodule \"m.spv\"\nbuffer a f32[] binding 0 = file \"a.npy\"\n"
      "buffer b f32[3] binding 1 = file \"a.npy\"\nfill b[1] = 7\ndispatch 1\n"
      "expect b = file \"a.npy\" within 10 abs\n",
      {"expect a[2] = 0.5"});
  EXPECT_EQ(kernel.module, folder_ / "m.spv");
  ASSERT_EQ(kernel.buffers.size(), 2u);
  EXPECT_EQ(kernel.buffers[0].bytes, 12u);
  EXPECT_EQ(kernel.expectations.size(), 2u);
  std::vector<std::vector<std::byte>> memory(2, std::vector<std::byte>(12));
  Scope scope;
  scope.before = memory;
  for (size_t k = 0; k < 2; ++k) fillBuffer(kernel, k, scope, memory[k]);
  EXPECT_EQ(textOf(memory[0]), bytesOf({1.0f, -2.0f, 0.5f}));
  EXPECT_EQ(textOf(memory[1]), bytesOf({1.0f, 7.0f, 0.5f}));
  std::vector<std::vector<std::byte>> after = memory;
  scope.after = after;
  EXPECT_THAT(checkKernel(kernel, scope), testing::IsEmpty());
  storeElement(ElementType::F32, after[1], 2, Value::of(99.0));
  EXPECT_THAT(checkKernel(kernel, scope),
              testing::ElementsAre(HasSubstr("b[2] is 99, expected 0.5")));
}

TEST_F(FileValuesTest, MistakesAreSaid) {
  writeNumpy("a.npy", kFloats, bytesOf({1.0f, -2.0f, 0.5f}));
  write("empty", "");
  EXPECT_THAT(parseError("buffer a f32[] binding 0\n"), HasSubstr("no file that has them"));
  EXPECT_THAT(parseError("buffer a f32[4] = file \"a.npy\"\n"),
              HasSubstr("a.npy: has 3 elements of f32, not 4"));
  EXPECT_THAT(parseError("buffer a f32[] = file \"empty\"\n"), HasSubstr("has no elements"));
  EXPECT_THAT(parseError("buffer a f32[] = file \"gone\"\n"), HasSubstr("gone: cannot be read"));
  EXPECT_THAT(parseError("dispatch 1\n"), HasSubstr("the directive 'module \"FILE\"' names one"));
  EXPECT_THAT(errorOf([&] { readKernelSources(write("k.txt", "")); }),
              HasSubstr("kernel files end in .comp, .spvasm, .spv or .kernel"));
}

}  // namespace
}  // namespace kernels
