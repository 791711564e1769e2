// SPDX-License-Identifier: Apache-2.0

// Forked children: a device is its parent's; one of their own they can have. Each scene is played
// in a process of its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "tests/api/long_work.h"
#include "tests/api/process_scene.h"
#include "tests/support/sanitizer.h"

#if TESSERA_ADDRESS_SANITIZER
// A child has its parent's memory without the stacks of the threads that point to it.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_options() {
  return "detect_leaks=0";
}
#endif

namespace api_test {
namespace {

// What the child throws fails the scene, and so does a child that takes longer than 20 seconds.
void inAChild(const std::function<void()>& scene) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    try {
      scene();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
      _exit(1);
    }
    std::exit(7);
  }
  int status = 0;
  require(waitpid(child, &status, 0) == child, "no child");
  require(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child did not end well");
}

// The commands that the host helper does not have.
struct MoreCommands {
  explicit MoreCommands(const host::Device& device) {
    auto find = [&](auto& command, const char* name) {
      command = reinterpret_cast<std::decay_t<decltype(command)>>(
          device.functions().vkGetDeviceProcAddr(device.handle(), name));
      require(command != nullptr, name);
    };
    find(vkQueueWaitIdle, "vkQueueWaitIdle");
    find(vkGetFenceStatus, "vkGetFenceStatus");
    find(vkCreateSemaphore, "vkCreateSemaphore");
    find(vkWaitSemaphores, "vkWaitSemaphores");
    find(vkSignalSemaphore, "vkSignalSemaphore");
    find(vkGetSemaphoreCounterValue, "vkGetSemaphoreCounterValue");
    find(vkCreateEvent, "vkCreateEvent");
    find(vkSetEvent, "vkSetEvent");
    find(vkGetEventStatus, "vkGetEventStatus");
    find(vkCreateQueryPool, "vkCreateQueryPool");
    find(vkGetQueryPoolResults, "vkGetQueryPoolResults");
  }
  PFN_vkQueueWaitIdle vkQueueWaitIdle;
  PFN_vkGetFenceStatus vkGetFenceStatus;
  PFN_vkCreateSemaphore vkCreateSemaphore;
  PFN_vkWaitSemaphores vkWaitSemaphores;
  PFN_vkSignalSemaphore vkSignalSemaphore;
  PFN_vkGetSemaphoreCounterValue vkGetSemaphoreCounterValue;
  PFN_vkCreateEvent vkCreateEvent;
  PFN_vkSetEvent vkSetEvent;
  PFN_vkGetEventStatus vkGetEventStatus;
  PFN_vkCreateQueryPool vkCreateQueryPool;
  PFN_vkGetQueryPoolResults vkGetQueryPoolResults;
};

class Fork : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Parent, Fork, testing::Bool(),
                         [](const auto& info) { return info.param ? "Busy" : "Idle"; });

TEST_P(Fork, TheParentsDeviceIsLostToAChild) {
  play(
      [] {
        LongWork work(steppingShader());
        const VkDevice device = work.device().handle();
        const host::Functions& vk = work.device().functions();
        const MoreCommands more(work.device());
        const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                             .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
        const VkSemaphoreCreateInfo semaphore_info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                                   .pNext = &type};
        VkSemaphore semaphore = VK_NULL_HANDLE;
        more.vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore);
        const VkEventCreateInfo event_info{.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
        VkEvent event = VK_NULL_HANDLE;
        more.vkCreateEvent(device, &event_info, nullptr, &event);
        const VkQueryPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                              .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                              .queryCount = 1};
        VkQueryPool pool = VK_NULL_HANDLE;
        more.vkCreateQueryPool(device, &pool_info, nullptr, &pool);
        if (GetParam()) work.submit(4, 20'000);

        inAChild([&] {
          auto lost = [](VkResult result, const char* command) {
            if (result != VK_ERROR_DEVICE_LOST) throw host::VulkanError(command, result);
          };
          const VkFence fence = work.fence();
          const uint64_t one = 1;
          const VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                         .semaphoreCount = 1,
                                         .pSemaphores = &semaphore,
                                         .pValues = &one};
          const VkSemaphoreSignalInfo signal{
              .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = 1};
          const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
          uint64_t value = 0;
          lost(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
          lost(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, 0), "vkWaitForFences for 0 s");
          lost(more.vkGetFenceStatus(device, fence), "vkGetFenceStatus");
          lost(more.vkQueueWaitIdle(work.queue()), "vkQueueWaitIdle");
          lost(vk.vkDeviceWaitIdle(device), "vkDeviceWaitIdle");
          lost(more.vkWaitSemaphores(device, &wait, UINT64_MAX), "vkWaitSemaphores");
          lost(more.vkSignalSemaphore(device, &signal), "vkSignalSemaphore");
          lost(more.vkGetSemaphoreCounterValue(device, semaphore, &value),
               "vkGetSemaphoreCounterValue");
          lost(more.vkSetEvent(device, event), "vkSetEvent");
          lost(more.vkGetEventStatus(device, event), "vkGetEventStatus");
          lost(more.vkGetQueryPoolResults(device, pool, 0, 1, 8, &value, 8,
                                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
               "vkGetQueryPoolResults");
          lost(vk.vkQueueSubmit(work.queue(), 1, &submit, fence), "vkQueueSubmit");
          try {
            work.compile(1);
            require(false, "it compiles");
          } catch (const host::VulkanError& error) {
            lost(error.result, "vkCreateComputePipelines");
          }
          vk.vkDestroyDevice(device, nullptr);
        });
        if (GetParam()) work.finish();
        work.submit(1, 100);
        work.finish();
      },
      "device lost: this process was forked");
}

// With all that belongs to it, as a child does that leaves main() and destroys what it finds.
TEST_P(Fork, ChildrenDestroyWhatTheirParentMade) {
  play([] {
    auto* work = new LongWork(steppingShader());
    if (GetParam()) work->submit(4, 20'000);
    inAChild([&] { delete work; });
    if (GetParam()) work->finish();
    delete work;
  });
}

#define SKIP_WHERE_CHILDREN_HAVE_NO_THREADS() \
  if (TESSERA_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer lets children start none"

TEST_P(Fork, ChildrenMakeDevicesOfTheirOwn) {
  SKIP_WHERE_CHILDREN_HAVE_NO_THREADS();
  play([] {
    const auto shader = steppingShader();
    LongWork work(shader);
    if (GetParam()) work.submit(4, 20'000);
    for (int i = 0; i < 2; ++i) {
      inAChild([&] {
        LongWork own(shader);
        for (int k = 0; k < 3; ++k) {
          own.submit(2, 2000);
          own.finish();
        }
        // And so do theirs.
        inAChild([&] {
          LongWork grandchild(shader);
          grandchild.submit(2, 2000);
          grandchild.finish();
        });
        own.submit(2, 2000);
        own.finish();
      });
    }
    if (GetParam()) work.finish();
  });
}

// The child may not use the device; it ends without hanging, and the parent goes on.
TEST(ForkAfterUse, ChildrenEndWell) {
  play([] {
    Counter counter(countingShader());
    counter.run();
    for (const bool properly : {true, false}) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(600);
        if (properly) std::exit(7);
        _exit(7);
      }
      int status = 0;
      require(waitpid(child, &status, 0) == child, "no child");
      require(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child did not end well");
      counter.run();
    }
  });
}

// Whether the parent makes a device is known when that ends.
TEST(Fork, ChildrenDoNotSayThatTheirParentPassedOverTheDevice) {
  play([] {
    const std::string path = "/tmp/tessera_fork_" + std::to_string(getpid());
    static const auto* instance =
        new host::Instance(host::Settings{{"log", "info"}, {"log_file", path}});
    require(!instance->devices().empty(), "no device");
    inAChild([] {});
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    unlink(path.c_str());
    require(text.str().find("says that it is a CPU") != std::string::npos, "nothing was said");
    require(text.str().find("has seen this device") == std::string::npos, "the child said it");
  });
}

// It may come upon a lock that nobody releases, which it says (ContainmentTest).
TEST(ForkAtWork, ChildrenOfACompilingParentCompileOrGiveUp) {
  SKIP_WHERE_CHILDREN_HAVE_NO_THREADS();
  play([] {
    const auto shader = steppingShader();
    LongWork work(shader);
    std::atomic<bool> stop = false;
    std::thread compiles([&] {
      for (uint32_t i = 1; !stop; ++i) work.compile(i);
    });
    for (int i = 0; i < 8; ++i) {
      inAChild([&] {
        try {
          LongWork own(shader);
          own.submit(2, 2000);
          own.finish();
        } catch (const host::VulkanError& error) {
          require(error.result == VK_ERROR_UNKNOWN, "another error");
        }
      });
    }
    stop = true;
    compiles.join();
  });
}

}  // namespace
}  // namespace api_test
