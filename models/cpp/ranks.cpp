// Several processes that train one adapter, by libtorch's own c10d with Gloo, over tensors of the CPU. Every function
// returns 0, or -1 with the message in lexforge_shim_error().

#include "guard.h"

#include <ATen/ATen.h>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace {

struct Group {
  c10::intrusive_ptr<c10d::Store> store;
  c10::intrusive_ptr<c10d::Backend> backend;
};

// The network interface by which the ranks reach each other. It is the one that the operator names. Otherwise it is
// loopback if the store is on loopback, or else the interface of the host's name.
auto device(const std::string& host) {
  if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME"); interface != nullptr && *interface != 0)
    return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  if (host == "127.0.0.1" || host == "localhost") return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
  return c10d::ProcessGroupGloo::createDefaultDevice();
}

}  // namespace

extern "C" {

// Joins the ranks that meet at host:port. `listener` is a bound socket on which rank 0 serves the store. If it is -1,
// there is no such socket, and `serve` says whether this process binds the port itself or another process serves the
// store.
int lexforge_shim_group_open(const char* host, int port, int rank, int world, int serve, int listener, int join_s, int answer_s,
                             void** out) {
  return guarded([&] {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(port);
    options.isServer = serve != 0;
    options.numWorkers = static_cast<std::size_t>(world);
    options.waitWorkers = false;
    options.timeout = std::chrono::seconds(join_s);
    if (listener >= 0) options.masterListenFd = listener;
    auto group = std::make_unique<Group>();
    auto served = c10::make_intrusive<c10d::TCPStore>(std::string(host), options);
    group->store = c10::make_intrusive<c10d::PrefixStore>("lexforge", served);
    auto gloo = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(join_s));
    gloo->devices.push_back(device(host));
    auto backend = c10::make_intrusive<c10d::ProcessGroupGloo>(group->store, rank, world, gloo);
    // Joining is quick; waiting for a rank that computes may be long.
    backend->setTimeout(std::chrono::seconds(answer_s));
    group->backend = backend;
    *out = group.release();
  });
}

// The sum over all ranks, in place, the same bits on each.
int lexforge_shim_group_sum(void* group, void* tensor) {
  return guarded([&] {
    std::vector<at::Tensor> list{*static_cast<at::Tensor*>(tensor)};
    static_cast<Group*>(group)->backend->allreduce(list)->wait();
  });
}

// Replaces the tensor in place by the tensor that rank 0 has.
int lexforge_shim_group_share(void* group, void* tensor) {
  return guarded([&] {
    std::vector<at::Tensor> list{*static_cast<at::Tensor*>(tensor)};
    static_cast<Group*>(group)->backend->broadcast(list)->wait();
  });
}

void lexforge_shim_group_close(void* group) { delete static_cast<Group*>(group); }

}  // extern "C"
