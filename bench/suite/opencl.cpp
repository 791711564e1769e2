// SPDX-License-Identifier: Apache-2.0

// Kernels in OpenCL C. Their function has the kernel's name, takes the push constants as words and
// then the buffers, and says the size of its workgroups; the grid is that of the first spelling.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "bench/suite/contestant.h"
#include "bench/timing.h"

namespace bench {
namespace {

// Of OpenCL's headers what is needed here, by the specification's names and values.
using Handle = void*;
constexpr uint64_t kDeviceTypeAll = 0xffffffff;     // CL_DEVICE_TYPE_ALL
constexpr uint64_t kReadWrite = 1, kCopyHost = 32;  // CL_MEM_*
constexpr uint32_t kBuildLog = 0x1183;              // CL_PROGRAM_BUILD_LOG
constexpr uint32_t kRequiredWorkgroup = 0x11b1;     // CL_KERNEL_COMPILE_WORK_GROUP_SIZE

struct OpenCl {
  SharedLibrary library = SharedLibrary({"libOpenCL.so.1"});
  int (*getPlatforms)(uint32_t, Handle*, uint32_t*);
  int (*getDevices)(Handle, uint64_t, uint32_t, Handle*, uint32_t*);
  Handle (*createContext)(const intptr_t*, uint32_t, const Handle*, Handle, Handle, int*);
  Handle (*createQueue)(Handle, Handle, const uint64_t*, int*);
  Handle (*createProgram)(Handle, uint32_t, const char**, const size_t*, int*);
  int (*buildProgram)(Handle, uint32_t, const Handle*, const char*, Handle, Handle);
  int (*getBuildInfo)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  Handle (*createKernel)(Handle, const char*, int*);
  int (*getWorkgroupInfo)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  int (*setArgument)(Handle, uint32_t, size_t, const void*);
  Handle (*createBuffer)(Handle, uint64_t, size_t, void*, int*);
  int (*readBuffer)(Handle, Handle, uint32_t, size_t, size_t, void*, uint32_t, Handle, Handle);
  int (*enqueue)(Handle, Handle, uint32_t, const size_t*, const size_t*, const size_t*, uint32_t,
                 Handle, Handle);
  int (*finish)(Handle);
  int (*releaseBuffer)(Handle);
  Handle device = nullptr, context = nullptr, queue = nullptr;

  OpenCl() {
    library.load(getPlatforms, "clGetPlatformIDs");
    library.load(getDevices, "clGetDeviceIDs");
    library.load(createContext, "clCreateContext");
    library.load(createQueue, "clCreateCommandQueueWithProperties");
    library.load(createProgram, "clCreateProgramWithSource");
    library.load(buildProgram, "clBuildProgram");
    library.load(getBuildInfo, "clGetProgramBuildInfo");
    library.load(createKernel, "clCreateKernel");
    library.load(getWorkgroupInfo, "clGetKernelWorkGroupInfo");
    library.load(setArgument, "clSetKernelArg");
    library.load(createBuffer, "clCreateBuffer");
    library.load(readBuffer, "clEnqueueReadBuffer");
    library.load(enqueue, "clEnqueueNDRangeKernel");
    library.load(finish, "clFinish");
    library.load(releaseBuffer, "clReleaseMemObject");
    Handle platform = nullptr;
    if (getPlatforms(1, &platform, nullptr) != 0 ||
        getDevices(platform, kDeviceTypeAll, 1, &device, nullptr) != 0)
      throw std::runtime_error("OpenCL has no device");
    int status = 0;
    context = createContext(nullptr, 1, &device, nullptr, nullptr, &status);
    if (status == 0) queue = createQueue(context, device, nullptr, &status);
    check(status, "a queue");
  }

  static void check(int status, const char* what) {
    if (status != 0)
      throw std::runtime_error(std::string("OpenCL: ") + what + ": error " +
                               std::to_string(status));
  }
};

class OpenClRun {
 public:
  OpenClRun(OpenCl& cl, const KernelRow& row) : cl_(cl), kernel_(row) {
    build();
    int status = 0;
    std::vector<uint32_t> push = kernel_.push();
    if (push.empty()) push.push_back(0);
    addBuffer(std::as_writable_bytes(std::span(push)));
    const BufferSet contents(kernel_.contents());
    for (const std::span<std::byte> bytes : contents.spans()) addBuffer(bytes);
    for (uint32_t k = 0; k < buffers_.size() && status == 0; ++k)
      status = cl_.setArgument(function_, k, sizeof buffers_[k], &buffers_[k]);
    OpenCl::check(status, "an argument");
    OpenCl::check(cl_.getWorkgroupInfo(function_, cl_.device, kRequiredWorkgroup, sizeof local_,
                                       local_, nullptr),
                  "the size of workgroups");
    const auto& groups = kernel_.spellings().front().dispatches.front().groups;
    for (size_t k = 0; k < 3; ++k) global_[k] = groups[k] * local_[k];
  }
  ~OpenClRun() {
    for (const Handle buffer : buffers_) cl_.releaseBuffer(buffer);
  }
  OpenClRun(const OpenClRun&) = delete;
  OpenClRun& operator=(const OpenClRun&) = delete;

  void run() {
    OpenCl::check(
        cl_.enqueue(cl_.queue, function_, 3, nullptr, global_, local_, 0, nullptr, nullptr),
        "running");
    OpenCl::check(cl_.finish(cl_.queue), "waiting");
  }

  // Empty when the results are right.
  std::string compare() {
    const BufferSet results(kernel_.contents());
    for (size_t k = 0; k < results.spans().size(); ++k)
      OpenCl::check(cl_.readBuffer(cl_.queue, buffers_[k + 1], 1, 0, results.spans()[k].size(),
                                   results.pointers()[k], 0, nullptr, nullptr),
                    "reading");
    return kernel_.compare(results.spans());
  }

 private:
  void build() {
    std::stringstream text;
    text << std::ifstream(kernel_.besides(".cl")).rdbuf();
    const std::string source = text.str();
    const char* lines = source.c_str();
    int status = 0;
    const Handle program = cl_.createProgram(cl_.context, 1, &lines, nullptr, &status);
    OpenCl::check(status, "a program");
    if (cl_.buildProgram(program, 1, &cl_.device, "-cl-std=CL3.0", nullptr, nullptr) != 0) {
      std::vector<char> log(1 << 16);
      cl_.getBuildInfo(program, cl_.device, kBuildLog, log.size() - 1, log.data(), nullptr);
      std::ranges::replace(log, '\n', ' ');  // an answer is one line
      throw std::runtime_error(log.data());
    }
    function_ = cl_.createKernel(program, kernel_.row().name, &status);
    OpenCl::check(status, kernel_.row().name);
  }

  void addBuffer(std::span<std::byte> bytes) {
    int status = 0;
    buffers_.push_back(
        cl_.createBuffer(cl_.context, kReadWrite | kCopyHost, bytes.size(), bytes.data(), &status));
    OpenCl::check(status, "a buffer");
  }

  OpenCl& cl_;
  SuiteKernel kernel_;
  Handle function_ = nullptr;
  std::vector<Handle> buffers_;  // the push constants' first
  size_t local_[3] = {}, global_[3] = {};
};

const KernelRow& rowOf(const std::string& name) {
  for (const KernelGroup& group : kernelGroups())
    for (const KernelRow& row : group.rows)
      if (row.name == name) return row;
  throw std::runtime_error("no kernel " + name);
}

class OpenClContestant : public Contestant {
 public:
  explicit OpenClContestant(WorkerProcess& process) : process_(process) {}
  double measure() override { return std::stod(process_.ask("measure")); }

 private:
  WorkerProcess& process_;
};

}  // namespace

OpenClProcess::OpenClProcess() {
  const std::filesystem::path peers = TESSERA_PEERS_FOLDER;
  const std::filesystem::path runner = peers / "run";
  std::map<std::string, std::string> environment = {
      {"POCL_MAX_PTHREAD_COUNT", "1"}, {"POCL_CPU_MAX_CU_COUNT", "1"}, {"POCL_KERNEL_CACHE", "0"}};
  const bool fetched = std::filesystem::exists(peers / "etc/OpenCL/vendors");
  if (fetched) environment["OCL_ICD_VENDORS"] = (peers / "etc/OpenCL/vendors").string();
  process_ = std::make_unique<WorkerProcess>(std::vector<std::string>{"--opencl-worker"},
                                             environment, fetched ? runner.string() : "");
}

std::unique_ptr<Contestant> OpenClProcess::make(const SuiteKernel& kernel) {
  if (kernel.besides(".cl").empty()) return nullptr;
  const std::string answer = process_->ask(kernel.row().name);
  if (answer.starts_with("absent ")) throw Absent(answer.substr(7));
  if (answer != "right") throw std::runtime_error("OpenCL: " + answer);
  return std::make_unique<OpenClContestant>(*process_);
}

int serveOpenCl() {
  std::unique_ptr<OpenCl> cl;
  std::unique_ptr<OpenClRun> run;
  serve([&](const std::string& line) -> std::string {
    if (line == "measure") {
      const Block block = measureBlock(kShortestBlock, [&] { run->run(); });
      return std::to_string(block.cpu / block.runs * 1e9) + "e-9";
    }
    try {
      run.reset();
      if (!cl) cl = std::make_unique<OpenCl>();
    } catch (const std::exception& error) {
      return std::string("absent ") + error.what();
    }
    try {
      run = std::make_unique<OpenClRun>(*cl, rowOf(line));
      run->run();
      const std::string wrong = run->compare();
      return wrong.empty() ? "right" : wrong;
    } catch (const std::exception& error) {
      return error.what();
    }
  });
  return 0;
}

}  // namespace bench
