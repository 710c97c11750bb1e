// One token of each of several texts, in fp32 on the CPU: a few rows are multiplied by all weights, and each row
// attends to its own cache. Every number is summed in one fixed order, whatever other rows are in the batch. So the
// result for a text does not depend on the other texts. For this reason the compiler may not reorder sums in this file.

#include "guard.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
#define EACH_PROCESSOR __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define EACH_PROCESSOR
#endif

using at::Tensor;

namespace {

constexpr int64_t kLanes = 16;

#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(64)));
#else
struct Lanes {
  float at[kLanes];
  float operator[](int64_t i) const { return at[i]; }
  Lanes operator*(const Lanes& other) const {
    Lanes out;
    for (int64_t i = 0; i < kLanes; i++) out.at[i] = at[i] * other.at[i];
    return out;
  }
  Lanes& operator+=(const Lanes& other) {
    for (int64_t i = 0; i < kLanes; i++) at[i] += other.at[i];
    return *this;
  }
};
#endif

// The sum of 16 numbers, by halves.
#define SUM_OF(lanes, sum)                                                    \
  do {                                                                        \
    float half[8];                                                            \
    for (int l = 0; l < 8; l++) half[l] = (lanes)[l] + (lanes)[l + 8];        \
    for (int l = 0; l < 4; l++) half[l] += half[l + 4];                       \
    (sum) = (half[0] + half[2]) + (half[1] + half[3]);                        \
  } while (0)

// `ROWS` rows of x [rows, k] times the outputs from..to of w [outputs, k], into y [rows, outputs].
#define ROWS_TIMES(ROWS, OUTPUTS)                                                                                  \
  for (; o + OUTPUTS <= to; o += OUTPUTS) {                                                                        \
    Lanes sums[ROWS][OUTPUTS];                                                                                     \
    std::memset(sums, 0, sizeof sums);                                                                             \
    int64_t i = 0;                                                                                                 \
    for (; i + kLanes <= k; i += kLanes) {                                                                         \
      Lanes own[OUTPUTS];                                                                                          \
      for (int c = 0; c < OUTPUTS; c++) std::memcpy(&own[c], w + (o + c) * k + i, sizeof(Lanes));                  \
      for (int r = 0; r < ROWS; r++) {                                                                             \
        Lanes row;                                                                                                 \
        std::memcpy(&row, x + r * k + i, sizeof(Lanes));                                                           \
        for (int c = 0; c < OUTPUTS; c++) sums[r][c] += row * own[c];                                              \
      }                                                                                                            \
    }                                                                                                              \
    for (int r = 0; r < ROWS; r++) {                                                                               \
      for (int c = 0; c < OUTPUTS; c++) {                                                                          \
        float sum;                                                                                                 \
        SUM_OF(sums[r][c], sum);                                                                                   \
        for (int64_t j = i; j < k; j++) sum = std::fma(x[r * k + j], w[(o + c) * k + j], sum);                     \
        y[r * outputs + o + c] = bias == nullptr ? sum : sum + bias[o + c];                                        \
      }                                                                                                            \
    }                                                                                                              \
  }

#define ROWS_FUNCTION(ROWS)                                                                                        \
  EACH_PROCESSOR void rows_##ROWS(const float* x, const float* w, const float* bias, float* y, int64_t k,          \
                                  int64_t outputs, int64_t from, int64_t to) {                                     \
    int64_t o = from;                                                                                              \
    ROWS_TIMES(ROWS, 4)                                                                                            \
    ROWS_TIMES(ROWS, 1)                                                                                            \
  }

ROWS_FUNCTION(1)
ROWS_FUNCTION(2)
ROWS_FUNCTION(3)
ROWS_FUNCTION(4)

// x [rows, k] times w [outputs, k]: the weights are read once, a few outputs at a time, for all rows.
void rows_times(const float* x, const float* w, const float* bias, float* y, int64_t rows, int64_t k, int64_t outputs) {
  constexpr int64_t kTile = 16;
  const int64_t tiles = (outputs + kTile - 1) / kTile;
  at::parallel_for(0, tiles, 1 + 65536 / (rows * k * kTile + 1), [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; tile++) {
      const int64_t from = tile * kTile, to = std::min(outputs, from + kTile);
      for (int64_t row = 0; row < rows; row += 4) {
        const float* own = x + row * k;
        float* out = y + row * outputs;
        switch (rows - row) {
          case 1: rows_1(own, w, bias, out, k, outputs, from, to); break;
          case 2: rows_2(own, w, bias, out, k, outputs, from, to); break;
          case 3: rows_3(own, w, bias, out, k, outputs, from, to); break;
          default: rows_4(own, w, bias, out, k, outputs, from, to);
        }
      }
    }
  });
}

// e^x of numbers that are not positive, to about the last bit but one: 2^n times a polynomial of what is left.
EACH_PROCESSOR void exponentials(float* x, int64_t count, float largest) {
  for (int64_t i = 0; i < count; i++) {
    const float at = std::max(x[i] - largest, -87.0f);
    const float magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds
    const float n = (at * 1.44269504f + magic) - magic;
    const float r = (at - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const int32_t bits = (static_cast<int32_t>(n) + 127) << 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    x[i] = p * power;
  }
}

// Attention of the heads that share one key head. The query is [group, width], the keys and values are [tokens,
// stride]. The first `width` numbers of each row belong to this head. `weights` has room for group * tokens numbers.
EACH_PROCESSOR void mix_one(const float* query, const float* keys, const float* values, int64_t group, int64_t width,
                            int64_t stride, int64_t tokens, float scale, float* weights, float* out) {
  for (int64_t t = 0; t < tokens; t++) {
    const float* key = keys + t * stride;
    for (int64_t g = 0; g < group; g++) {
      const float* own = query + g * width;
      Lanes sums;
      std::memset(&sums, 0, sizeof sums);
      int64_t i = 0;
      for (; i + kLanes <= width; i += kLanes) {
        Lanes a, b;
        std::memcpy(&a, own + i, sizeof a);
        std::memcpy(&b, key + i, sizeof b);
        sums += a * b;
      }
      float sum;
      SUM_OF(sums, sum);
      for (; i < width; i++) sum = std::fma(own[i], key[i], sum);
      weights[g * tokens + t] = sum * scale;
    }
  }
  for (int64_t g = 0; g < group; g++) {
    float* own = weights + g * tokens;
    const float largest = *std::max_element(own, own + tokens);
    exponentials(own, tokens, largest);
    float total = 0;
    for (int64_t t = 0; t < tokens; t++) total += own[t];
    float* mixed = out + g * width;
    std::fill(mixed, mixed + width, 0.0f);
    for (int64_t t = 0; t < tokens; t++) {
      const float weight = own[t];
      const float* value = values + t * stride;
      for (int64_t i = 0; i < width; i++) mixed[i] += weight * value[i];
    }
    const float inverse = 1.0f / total;
    for (int64_t i = 0; i < width; i++) mixed[i] *= inverse;
  }
}

const Tensor& tensor(void* pointer) { return *static_cast<Tensor*>(pointer); }

bool plain(const Tensor& x) { return x.device().is_cpu() && x.scalar_type() == at::kFloat; }

}  // namespace

extern "C" {

int lexforge_shim_rows_linear(void* x, void* weight, void* bias, void** out) {
  return guarded([&] {
    const Tensor rows = tensor(x).contiguous(), weights = tensor(weight).contiguous();
    TORCH_CHECK(plain(rows) && plain(weights) && rows.dim() == 2 && weights.dim() == 2 &&
                    rows.size(1) == weights.size(1),
                "rows and weights do not fit");
    const Tensor added = bias == nullptr ? Tensor() : tensor(bias).contiguous();
    TORCH_CHECK(!added.defined() || (plain(added) && added.numel() == weights.size(0)), "the bias does not fit");
    Tensor y = at::empty({rows.size(0), weights.size(0)}, rows.options());
    rows_times(rows.const_data_ptr<float>(), weights.const_data_ptr<float>(),
               added.defined() ? added.const_data_ptr<float>() : nullptr, y.mutable_data_ptr<float>(), rows.size(0),
               rows.size(1), weights.size(0));
    *out = new Tensor(std::move(y));
  });
}

// One new token of each text. Its key and value are written into the text's own cache [room, key heads, width] at the
// place `lengths[text]`. Its query [texts, heads, width] then attends to the entries of the cache from `firsts[text]`
// on.
int lexforge_shim_attend_step(void* query, void* key, void* value, void** keys, void** values, const int64_t* firsts,
                              const int64_t* lengths, size_t texts, void** out) {
  return guarded([&] {
    const Tensor q = tensor(query).contiguous(), k = tensor(key).contiguous(), v = tensor(value).contiguous();
    TORCH_CHECK(plain(q) && plain(k) && plain(v) && q.dim() == 3 && k.dim() == 3 && v.sizes() == k.sizes() &&
                    q.size(0) == static_cast<int64_t>(texts) && k.size(0) == q.size(0) && k.size(2) == q.size(2) &&
                    k.size(1) > 0 && q.size(1) % k.size(1) == 0,
                "queries, keys and values do not fit");
    const int64_t heads = q.size(1), key_heads = k.size(1), width = q.size(2), group = heads / key_heads;
    const int64_t stride = key_heads * width;
    std::vector<float*> held_keys(texts), held_values(texts);
    int64_t longest = 0;
    for (size_t text = 0; text < texts; text++) {
      for (void* pointer : {keys[text], values[text]}) {
        const Tensor& held = tensor(pointer);
        TORCH_CHECK(plain(held) && held.is_contiguous() && held.dim() == 3 && held.size(1) == key_heads &&
                        held.size(2) == width && lengths[text] >= 0 && lengths[text] < held.size(0) &&
                        firsts[text] >= 0 && firsts[text] <= lengths[text],
                    "a cache has no room");
      }
      held_keys[text] = tensor(keys[text]).data_ptr<float>();
      held_values[text] = tensor(values[text]).data_ptr<float>();
      longest = std::max(longest, lengths[text] + 1);
    }
    Tensor mixed = at::empty({q.size(0), heads * width}, q.options());
    const float *queries = q.const_data_ptr<float>(), *new_keys = k.const_data_ptr<float>();
    const float* new_values = v.const_data_ptr<float>();
    float* write = mixed.mutable_data_ptr<float>();
    const float scale = 1.0f / std::sqrt(static_cast<float>(width));
    const int64_t pairs = static_cast<int64_t>(texts) * key_heads;
    at::parallel_for(0, pairs, 1 + 32768 / (longest * group * width + 1), [&](int64_t begin, int64_t end) {
      std::vector<float> weights(static_cast<size_t>(group * longest));
      for (int64_t pair = begin; pair < end; pair++) {
        const int64_t text = pair / key_heads, head = pair % key_heads, at = text * stride + head * width;
        const int64_t length = lengths[text], first = firsts[text];
        float* own_keys = held_keys[text] + head * width;
        float* own_values = held_values[text] + head * width;
        std::memcpy(own_keys + length * stride, new_keys + at, sizeof(float) * width);
        std::memcpy(own_values + length * stride, new_values + at, sizeof(float) * width);
        mix_one(queries + (text * heads + head * group) * width, own_keys + first * stride, own_values + first * stride,
                group, width, stride, length + 1 - first, scale, weights.data(),
                write + (text * heads + head * group) * width);
      }
    });
    *out = new Tensor(std::move(mixed));
  });
}

}  // extern "C"
