// Frozen linear layers whose weights are stored in four bits (NF4, Dettmers et al. 2023). The weights are unpacked to
// numbers for each product, forward and backward. For the gradient only the four-bit codes are kept.

#include "nf4.h"

#include "guard.h"

#include <ATen/Parallel.h>
#include <optional>
#include <torch/csrc/autograd/custom_function.h>

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

constexpr int64_t kBlock = 64;

// Quantiles of the normal distribution, 0 among them, scaled to [-1, 1].
constexpr float kTable[16] = {-1.0f,
                              -0.6961928009986877f,
                              -0.5250730514526367f,
                              -0.39491748809814453f,
                              -0.28444138169288635f,
                              -0.18477343022823334f,
                              -0.09105003625154495f,
                              0.0f,
                              0.07958029955625534f,
                              0.16093020141124725f,
                              0.24611230194568634f,
                              0.33791524171829224f,
                              0.44070982933044434f,
                              0.5626170039176941f,
                              0.7229568362236023f,
                              1.0f};

}  // namespace

Tensor lexforge_nf4_dense(const Tensor& codes, const Tensor& largest, int64_t outputs, int64_t inputs,
                          at::ScalarType type) {
  const int64_t numbers = outputs * inputs, blocks = numbers / kBlock;
  TORCH_CHECK(numbers == blocks * kBlock && codes.numel() * 2 == numbers && largest.numel() == blocks,
              "four-bit weights of another shape");
  if (codes.device().is_cpu()) {
    Tensor out = at::empty({outputs, inputs}, codes.options().dtype(at::kFloat));
    const uint8_t* read = codes.const_data_ptr<uint8_t>();
    const float* scales = largest.const_data_ptr<float>();
    float* write = out.mutable_data_ptr<float>();
    at::parallel_for(0, blocks, 512, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; block++) {
        float own[16];
        for (int i = 0; i < 16; i++) own[i] = kTable[i] * scales[block];
        const uint8_t* from = read + block * kBlock / 2;
        float* to = write + block * kBlock;
        for (int64_t i = 0; i < kBlock / 2; i++) {
          to[2 * i] = own[from[i] >> 4];
          to[2 * i + 1] = own[from[i] & 15];
        }
      }
    });
    return out.to(type);
  }
  const Tensor table = at::tensor(at::ArrayRef<float>(kTable, 16), largest.options());
  const Tensor pairs = at::stack({codes.bitwise_right_shift(4), codes.bitwise_and(15)}, 1);
  const Tensor values = table.index_select(0, pairs.view(-1).to(at::kInt)).view({blocks, kBlock});
  return values.mul(largest.unsqueeze(1)).to(type).view({outputs, inputs});
}

namespace {

// y = W x + b of a frozen W.
struct Nf4Linear : Function<Nf4Linear> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& codes, const Tensor& largest,
                        const std::optional<Tensor>& bias, int64_t outputs) {
    ctx->save_for_backward({codes, largest});
    ctx->saved_data["outputs"] = outputs;
    ctx->saved_data["inputs"] = x.size(-1);
    return at::linear(x, lexforge_nf4_dense(codes, largest, outputs, x.size(-1), x.scalar_type()), bias);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor weight = lexforge_nf4_dense(saved[0], saved[1], ctx->saved_data["outputs"].toInt(),
                                             ctx->saved_data["inputs"].toInt(), gradients[0].scalar_type());
    return {gradients[0].matmul(weight), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

const Tensor& tensor(void* pointer) { return *static_cast<Tensor*>(pointer); }

}  // namespace

extern "C" {

int lexforge_shim_nf4_linear(void* x, void* codes, void* largest, void* bias, int64_t outputs, void** out) {
  return guarded([&] {
    const auto b = bias == nullptr ? std::nullopt : std::optional<Tensor>(tensor(bias));
    *out = new Tensor(Nf4Linear::apply(tensor(x), tensor(codes), tensor(largest), b, outputs));
  });
}

int lexforge_shim_nf4_dense(void* codes, void* largest, int64_t outputs, int64_t inputs, void** out) {
  return guarded([&] {
    *out = new Tensor(lexforge_nf4_dense(tensor(codes), tensor(largest), outputs, inputs, at::kFloat));
  });
}

}  // extern "C"
