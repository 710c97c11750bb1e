"""Weights from a formula, so that tests on both sides have the same ones and none need be stored.

The value of element i of a tensor depends on the tensor's name and on i alone; models/tests/common/formula.rs
computes the same numbers, bit for bit.
"""

import numpy
import torch


def values(name, shape):
    """A tensor of fp32 values: scales of norms near 1, biases and other vectors small, matrices of unit gain."""
    seed = 2166136261
    for byte in name.encode():
        seed = ((seed ^ byte) * 16777619) & 0xFFFFFFFF
    count = int(numpy.prod(shape))
    h = (seed + numpy.arange(count, dtype=numpy.uint64) * 0x9E3779B9) & 0xFFFFFFFF
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & 0xFFFFFFFF
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & 0xFFFFFFFF
    h ^= h >> 16
    unit = (h >> 8).astype(numpy.float32) / numpy.float32(1 << 23) - numpy.float32(1)
    around, spread = 0.0, 0.1
    if len(shape) == 2:
        spread = 1.0 if "embed" in name else 0.3
    elif "norm" in name.lower() and name.endswith("weight"):
        around = 1.0
    result = numpy.float32(around) + numpy.float32(spread) * unit
    return torch.from_numpy(result.astype(numpy.float32)).reshape(shape)


def fill(model):
    """Gives every parameter of a model its values and lists name → shape of what a folder of it stores."""
    shapes = {}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(values(name, tuple(parameter.shape)))
            shapes[name] = list(parameter.shape)
    return shapes
