// Weights in four bits (NF4), as the shim's other layers read them.
#pragma once

#include <ATen/ATen.h>

// Unpacks the numbers [outputs, inputs] from their codes (two in each byte, the first in the high half) and the largest
// magnitude of each block of 64.
at::Tensor lexforge_nf4_dense(const at::Tensor& codes, const at::Tensor& largest, int64_t outputs, int64_t inputs,
                              at::ScalarType type);
