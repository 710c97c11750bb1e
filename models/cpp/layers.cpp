// Layers whose weights are frozen, with gradients written by hand. For its gradient each layer keeps only values that
// would be expensive to compute again. Each layer reads its input once, while PyTorch's operations would read it
// several times.

#include "guard.h"
#include "nf4.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <cmath>
#include <cstdint>
#include <torch/csrc/autograd/custom_function.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
// The loop is compiled for each kind of processor, and the right one is taken at run time.
#define EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EACH_PROCESSOR
#endif

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

bool plain(const Tensor& x) { return x.device().is_cpu() && x.scalar_type() == at::kFloat; }

// The last steps of MurmurHash3: every bit of the input changes half of the bits.
inline uint32_t scattered(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ (h >> 16);
}

EACH_PROCESSOR void dropped_row(const float* x, float* out, int64_t width, uint32_t seed, uint32_t limit) {
  for (int64_t i = 0; i < width; i++) {
    out[i] = scattered(seed + static_cast<uint32_t>(i) * 0x9E3779B9u) < limit ? 0.0f : x[i];
  }
}

// Which inputs are dropped. On the CPU this is a function of a seed, the row and the column, so nothing has to be kept.
// On other devices it is a mask.
struct Dropout {
  double probability = 0;
  int64_t seed = 0;
  Tensor mask;

  static Dropout drawn(const Tensor& x, double probability) {
    Dropout dropout{probability};
    if (probability <= 0) return dropout;
    if (x.device().is_cpu()) {
      auto generator = at::detail::getDefaultCPUGenerator();
      std::lock_guard<std::mutex> lock(generator.mutex());
      dropout.seed = static_cast<int64_t>(at::check_generator<at::CPUGeneratorImpl>(generator)->random64());
    } else {
      dropout.mask = at::empty(x.sizes(), x.options().dtype(at::kBool)).bernoulli_(probability);
    }
    return dropout;
  }

  // fp32, without the scale that makes up for what is missing.
  Tensor of(const Tensor& x) const {
    if (probability <= 0) return x.to(at::kFloat);
    if (mask.defined()) return x.to(at::kFloat).masked_fill(mask, 0);
    const Tensor from = x.to(at::kFloat).contiguous();
    Tensor out = at::empty_like(from);
    const int64_t width = from.size(-1), rows = width == 0 ? 0 : from.numel() / width;
    const float* read = from.const_data_ptr<float>();
    float* write = out.mutable_data_ptr<float>();
    const auto limit = static_cast<uint32_t>(probability * 4294967296.0);
    const auto low = static_cast<uint32_t>(seed), high = static_cast<uint32_t>(static_cast<uint64_t>(seed) >> 32);
    at::parallel_for(0, rows, 1 + 32768 / (width + 1), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; row++) {
        const uint32_t own = scattered(low + scattered(high ^ static_cast<uint32_t>(row)));
        dropped_row(read + row * width, write + row * width, width, own, limit);
      }
    });
    return out;
  }

  // The factor that compensates for the dropped inputs.
  double scale() const { return 1.0 / (1.0 - probability); }
};

// y = W x + b + s B A dropout(x). Only A and B are trained. A and B are fp32, whatever the type of W is. W may be
// stored in four bits; then `kept` has its codes, and `largest` has the largest magnitude of each block.
struct LowRankLinear : Function<LowRankLinear> {
  static Tensor dense(const Tensor& kept, const Tensor& largest, const Tensor& a, const Tensor& b, at::ScalarType type) {
    return largest.defined() ? lexforge_nf4_dense(kept, largest, b.size(0), a.size(1), type) : kept;
  }

  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& kept, const std::optional<Tensor>& scales,
                        const std::optional<Tensor>& bias, const Tensor& a, const Tensor& b, double scale,
                        double probability) {
    const Dropout dropout = Dropout::drawn(x, probability);
    scale *= dropout.scale();
    const Tensor largest = scales.value_or(Tensor());
    Tensor y = at::linear(x, dense(kept, largest, a, b, x.scalar_type()), bias);
    const Tensor narrow = dropout.of(x).matmul(a.t()).mul_(scale);  // [tokens, r]
    if (y.scalar_type() == at::kFloat) {
      y.addmm_(narrow, b.t());
    } else {
      y = at::addmm(y.to(at::kFloat), narrow, b.t()).to(y.scalar_type());
    }
    ctx->save_for_backward({x, kept, a, b, narrow, dropout.mask, largest});
    ctx->saved_data["scale"] = scale;
    ctx->saved_data["probability"] = probability;
    ctx->saved_data["seed"] = dropout.seed;
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &a = saved[2], &b = saved[3], &narrow = saved[4];
    const Dropout dropout{ctx->saved_data["probability"].toDouble(), ctx->saved_data["seed"].toInt(), saved[5]};
    const Tensor dy = gradients[0].contiguous(), wide = dy.to(at::kFloat);
    const Tensor inner = wide.matmul(b).mul_(ctx->saved_data["scale"].toDouble());  // [tokens, r]
    Tensor dx;
    if (ctx->needs_input_grad(0)) {
      const Tensor weight = dense(saved[1], saved[6], a, b, x.scalar_type());
      dx = dropout.of(inner.matmul(a));
      if (weight.scalar_type() == at::kFloat) {
        dx.addmm_(dy, weight);
      } else {
        dx = dx.add_(dy.matmul(weight)).to(x.scalar_type());
      }
    }
    return {dx, Tensor(), Tensor(), Tensor(), inner.t().matmul(dropout.of(x)), wide.t().matmul(narrow), Tensor(), Tensor()};
  }
};

EACH_PROCESSOR void normed_row(const float* x, const float* weight, float* out, float* inverse, int64_t width,
                               float epsilon) {
  float squares = 0;
  for (int64_t i = 0; i < width; i++) squares += x[i] * x[i];
  const float r = 1.0f / std::sqrt(squares / static_cast<float>(width) + epsilon);
  for (int64_t i = 0; i < width; i++) out[i] = x[i] * r * weight[i];
  *inverse = r;
}

EACH_PROCESSOR void normed_row_back(const float* dy, const float* x, const float* weight, float r, float* dx,
                                    int64_t width) {
  float along = 0;
  for (int64_t i = 0; i < width; i++) along += dy[i] * weight[i] * x[i];
  const float pull = along * r * r * r / static_cast<float>(width);
  for (int64_t i = 0; i < width; i++) dx[i] = dy[i] * weight[i] * r - x[i] * pull;
}

// x w / sqrt(mean(x^2) + epsilon) over the last dimension, w frozen; fp32 on the CPU.
struct RmsNorm : Function<RmsNorm> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& weight, double epsilon) {
    const Tensor x = input.contiguous();
    const int64_t width = weight.numel(), rows = x.numel() / width;
    Tensor out = at::empty_like(x), inverse = at::empty({rows}, x.options());
    const float *read = x.const_data_ptr<float>(), *scale = weight.const_data_ptr<float>();
    float *write = out.mutable_data_ptr<float>(), *kept = inverse.mutable_data_ptr<float>();
    at::parallel_for(0, rows, 1 + 32768 / width, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; row++) {
        normed_row(read + row * width, scale, write + row * width, kept + row, width, static_cast<float>(epsilon));
      }
    });
    ctx->save_for_backward({x, weight, inverse});
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1], dy = gradients[0].contiguous();
    const int64_t width = weight.numel(), rows = x.numel() / width;
    Tensor dx = at::empty_like(x);
    const float *grad = dy.const_data_ptr<float>(), *read = x.const_data_ptr<float>();
    const float *scale = weight.const_data_ptr<float>(), *kept = saved[2].const_data_ptr<float>();
    float* write = dx.mutable_data_ptr<float>();
    at::parallel_for(0, rows, 1 + 32768 / width, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; row++) {
        const int64_t at = row * width;
        normed_row_back(grad + at, read + at, scale, kept[row], write + at, width);
      }
    });
    return {dx, Tensor(), Tensor()};
  }
};

EACH_PROCESSOR void turned_row(const float* x, const float* cosines, const float* sines, float sign, float* out,
                               int64_t half) {
  for (int64_t i = 0; i < half; i++) {
    const float c = cosines[i], s = sines[i] * sign;
    out[i] = x[i] * c - x[i + half] * s;
    out[i + half] = x[i + half] * c + x[i] * s;
  }
}

// Rotates the pairs (i, i + half) of x [tokens, heads, 2 half] by the angles of their token, or back (sign -1). The
// tables are [tokens, 1, 2 half], and both halves of a row are the same.
Tensor turned(const Tensor& input, const Tensor& cosines, const Tensor& sines, float sign) {
  const Tensor x = input.contiguous();
  Tensor out = at::empty_like(x);
  const int64_t tokens = x.size(0), heads = x.size(1), width = x.size(2);
  const float *read = x.const_data_ptr<float>(), *c = cosines.const_data_ptr<float>(), *s = sines.const_data_ptr<float>();
  float* write = out.mutable_data_ptr<float>();
  at::parallel_for(0, tokens, 1 + 32768 / (heads * width), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * heads; row < end * heads; row++) {
      const int64_t angle = row / heads * width;
      turned_row(read + row * width, c + angle, s + angle, sign, write + row * width, width / 2);
    }
  });
  return out;
}

struct Turn : Function<Turn> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& cosines, const Tensor& sines) {
    ctx->save_for_backward({cosines, sines});
    return turned(x, cosines, sines, 1);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto saved = ctx->get_saved_variables();
    return {turned(gradients[0], saved[0], saved[1], -1), Tensor(), Tensor()};
  }
};

// silu(gate) up, of which gate and up alone are kept.
struct Gate : Function<Gate> {
  static Tensor forward(AutogradContext* ctx, const Tensor& gate, const Tensor& up) {
    ctx->save_for_backward({gate, up});
    return at::silu(gate).mul_(up);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &gate = saved[0], &up = saved[1], &dy = gradients[0];
    return {at::silu_backward(dy * up, gate), at::silu(gate).mul_(dy)};
  }
};

const Tensor& tensor(void* pointer) { return *static_cast<Tensor*>(pointer); }

std::optional<Tensor> tensor_or_none(void* pointer) {
  return pointer == nullptr ? std::nullopt : std::optional<Tensor>(tensor(pointer));
}

}  // namespace

extern "C" {

int lexforge_shim_low_rank_linear(void* x, void* weight, void* largest, void* bias, void* a, void* b, double scale,
                                  double dropout, void** out) {
  return guarded([&] {
    *out = new Tensor(
        LowRankLinear::apply(tensor(x), tensor(weight), tensor_or_none(largest), tensor_or_none(bias), tensor(a), tensor(b),
                             scale, dropout));
  });
}

int lexforge_shim_rms_norm(void* x, void* weight, double epsilon, void** out) {
  return guarded([&] {
    TORCH_CHECK(plain(tensor(x)) && plain(tensor(weight)), "this norm computes fp32 on the CPU");
    *out = new Tensor(RmsNorm::apply(tensor(x), tensor(weight).contiguous(), epsilon));
  });
}

int lexforge_shim_turn(void* x, void* cosines, void* sines, void** out) {
  return guarded([&] {
    const Tensor &c = tensor(cosines), &s = tensor(sines);
    TORCH_CHECK(plain(tensor(x)) && plain(c) && plain(s), "this turn computes fp32 on the CPU");
    TORCH_CHECK(tensor(x).dim() == 3 && c.numel() == tensor(x).size(0) * tensor(x).size(2) && s.numel() == c.numel(),
                "the tables are of other tokens");
    *out = new Tensor(Turn::apply(tensor(x), c.contiguous(), s.contiguous()));
  });
}

int lexforge_shim_gate(void* gate, void* up, void** out) {
  return guarded([&] { *out = new Tensor(Gate::apply(tensor(gate), tensor(up))); });
}

// Adds to the gradients of everything that a tensor came from, by its own gradient.
int lexforge_shim_backward(void* x, void* gradient) {
  return guarded([&] { tensor(x).backward(tensor(gradient)); });
}

}  // extern "C"
