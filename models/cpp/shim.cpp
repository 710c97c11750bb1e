// Functions of libtorch that the product needs and the Rust binding lacks: the state of the random number generators,
// the fused AdamW step, and loading libtorch's CUDA half at run time. Every function returns 0, or -1 with the message
// in lexforge_shim_error(); the last one answers MKL.

#include "guard.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/Functions.h>
#include <c10/core/Device.h>
#include <c10/core/GradMode.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <mutex>
#include <torch/version.h>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#else
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#endif

thread_local std::string lexforge_last_error;

namespace {

std::vector<at::Tensor> tensors(void** pointers, size_t count) {
  std::vector<at::Tensor> list;
  list.reserve(count);
  for (size_t i = 0; i < count; i++) list.push_back(*static_cast<at::Tensor*>(pointers[i]));
  return list;
}

at::Generator generator(int cuda_index) {
  return cuda_index < 0 ? at::globalContext().defaultGenerator(c10::Device(c10::kCPU))
                        : at::globalContext().defaultGenerator(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(cuda_index)));
}

#ifndef _WIN32
char bus_message[512];
size_t bus_length = 0;
int bus_code = 1;

// Only what may be done in a signal handler.
void on_bus_error(int) {
  ssize_t written = write(STDERR_FILENO, bus_message, bus_length);
  (void)written;
  _exit(bus_code);
}
#endif

}  // namespace

extern "C" {

// Sets the message that the process prints and the code with which it ends if a mapped file becomes shorter while it is
// read.
void lexforge_shim_tell_bus_errors(const char* message, int code) {
#ifndef _WIN32
  bus_length = std::min(std::strlen(message), sizeof bus_message);
  std::memcpy(bus_message, message, bus_length);
  bus_code = code;
  struct sigaction action {};
  action.sa_handler = on_bus_error;
  sigaction(SIGBUS, &action, nullptr);
#else
  (void)message;
  (void)code;
#endif
}

// From here on the process ends without destructors of static objects. libtorch's take its thousands of operators out of
// their registry again, for a third of the time that loading it takes; the system takes the memory back anyway. To be
// called when all is done. Without effect where the C library is not glibc.
void lexforge_shim_end_without_destructors() {
#ifdef __GLIBC__
  // Nothing is left to be done if it cannot be registered: the destructors run then.
  (void)on_exit(
      [](int code, void*) {
        std::fflush(nullptr);
        _exit(code);
      },
      nullptr);
#endif
}

const char* lexforge_shim_error() { return lexforge_last_error.c_str(); }

const char* lexforge_shim_libtorch_version() { return TORCH_VERSION; }

// Makes libtorch's CUDA half known to this process; must come before the first question about CUDA.
int lexforge_shim_load_cuda(const char* library) {
  return guarded([&] {
#ifdef _WIN32
    if (LoadLibraryA(library) == nullptr) throw std::runtime_error(std::string(library) + " cannot be loaded");
#else
    if (dlopen(library, RTLD_NOW | RTLD_GLOBAL) == nullptr) throw std::runtime_error(dlerror());
#endif
  });
}

// The version of CUDA that the loaded half was built for, 1000 major + 10 minor; -1 = not known.
int lexforge_shim_cuda_built_for() {
  int version = -1;
  guarded([&] { version = static_cast<int>(at::detail::getCUDAHooks().versionCUDART()); });
  return version;
}

// Compute capability of the first device, as 100 major + minor, from the CUDA runtime in libtorch's CUDA half; -1 = not
// known.
int lexforge_shim_cuda_capability() {
#ifdef _WIN32
  return -1;
#else
  using Attribute = int (*)(int*, int, int);
  const auto attribute = reinterpret_cast<Attribute>(dlsym(RTLD_DEFAULT, "cudaDeviceGetAttribute"));
  int major = 0, minor = 0;
  // The numbers of cudaDevAttrComputeCapabilityMajor and Minor.
  if (attribute == nullptr || attribute(&major, 75, 0) != 0 || attribute(&minor, 76, 0) != 0) return -1;
  return 100 * major + minor;
#endif
}

// State of a default generator as a new byte tensor; cuda_index < 0 means the CPU's.
int lexforge_shim_rng_get(int cuda_index, void** out) {
  return guarded([&] {
    auto g = generator(cuda_index);
    std::lock_guard<std::mutex> lock(g.mutex());
    *out = new at::Tensor(g.get_state());
  });
}

int lexforge_shim_rng_set(int cuda_index, void* state) {
  return guarded([&] {
    auto g = generator(cuda_index);
    std::lock_guard<std::mutex> lock(g.mutex());
    g.set_state(*static_cast<at::Tensor*>(state));
  });
}

// One step of AdamW in place. `steps` are float scalars that are counted up here.
int lexforge_shim_adamw(void** parameters, void** gradients, void** averages, void** squares, void** steps, size_t count,
                        double learning_rate, double beta1, double beta2, double weight_decay, double epsilon) {
  return guarded([&] {
    c10::AutoGradMode no_grad(false);
    auto p = tensors(parameters, count), g = tensors(gradients, count), m = tensors(averages, count),
         v = tensors(squares, count), s = tensors(steps, count);
    at::_foreach_add_(s, 1);
    at::_fused_adamw_(p, g, m, v, {}, s, learning_rate, beta1, beta2, weight_decay, epsilon, /*amsgrad=*/false, /*maximize=*/false);
  });
}

#if defined(__x86_64__) && defined(__GNUC__)
// MKL, which multiplies libtorch's matrices on the CPU, asks this whether the processor is one of Intel's. On any other
// it takes slower code, even where the processor has the same instructions (AVX2, AVX-512). The answer yes lets it look
// at the instructions alone. PyTorch's maintainers give the same advice for AMD (pytorch/builder, pull request 1245).
// With LEXFORGE_MKL_BY_MAKER=1 it gets the true answer.
int mkl_serv_intel_cpu_true() {
  static const bool by_maker = std::getenv("LEXFORGE_MKL_BY_MAKER") != nullptr;
  return !by_maker || __builtin_cpu_is("intel");
}
#endif

}  // extern "C"
