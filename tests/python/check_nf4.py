"""Compare weights in four bits with what bitsandbytes makes of them on the CPU, for models/tests/nf4.rs.

    python3 tests/python/check_nf4.py FILE.safetensors
"""

import sys

import bitsandbytes.functional as bnb
import torch
from safetensors.torch import load_file

tensors = load_file(sys.argv[1])
worst = 0.0
for name in sorted({name.split(".")[0] for name in tensors}):
    weight = tensors[f"{name}.weight"]
    codes, state = bnb.quantize_4bit(weight, blocksize=64, quant_type="nf4", compress_statistics=False)
    own = tensors[f"{name}.codes"]
    parted = int((codes.view(-1) != own.view(-1)).sum())
    assert torch.equal(state.absmax.float(), tensors[f"{name}.largest"]), name
    assert parted == 0, (name, parted, own.numel())
    dense = bnb.dequantize_4bit(codes, state).float()
    worst = max(worst, float((dense - tensors[f"{name}.dense"]).abs().max()))
assert worst <= 1e-6, worst
print(f"codes and scales are equal; largest difference of the numbers {worst:.1e}")
