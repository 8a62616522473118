# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs on a packed base against the same models with weights rounded here, by the formats' descriptions: our losses on
them to the last bit, and transformers + PEFT; prints the largest error of each. Where bitsandbytes is installed, the
rounding itself is compared with it.

usage: packed_parity.py ROUNDPIPE LOGITS_PROBE
"""
import importlib.util
import pathlib
import shutil
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file

import hf_trainer
import parity
import tiny_models

NF4 = torch.tensor([-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
                    -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
                    0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
                    0.7229568362236023, 1.0])
BLOCK, SCALED_TOGETHER = 64, 256


def dynamic_code():
    """2^k values of each sign at the middles of equal parts of [0.1, 1] times 10^(k - 6), 0 and 1."""
    values = [0.0, 1.0]
    for k in range(7):
        boundaries = torch.linspace(0.1, 1, 2 ** k + 1)
        middles = 10.0 ** (k - 6) * ((boundaries[1:] + boundaries[:-1]) / 2)
        values += middles.tolist() + (-middles).tolist()
    return torch.tensor(sorted(values))


def nearest(values, size, code):
    """Values as codes of what is nearest in `code` times the largest magnitude of each `size` of them, and those."""
    codes, scales = [], []
    middles = (code[1:] + code[:-1]) / 2
    for block in values.split(size):
        scale = block.abs().max()
        divisor = scale.clamp(min=1e-38)
        scaled = block * (1 / divisor) if len(block) == size else block / divisor
        codes.append(torch.bucketize(scaled.clamp(-1, 1), middles))
        scales.append(scale)
    return torch.cat(codes), torch.stack(scales)


def packed_nf4(weights):
    codes, magnitudes = nearest(weights.flatten(), BLOCK, NF4)
    mean = magnitudes.double().mean().float()
    magnitude_codes, scales = nearest(magnitudes - mean, SCALED_TOGETHER, dynamic_code())
    return codes, magnitude_codes, scales, mean


def nf4(weights):
    codes, magnitude_codes, scales, mean = packed_nf4(weights)
    magnitudes = dynamic_code()[magnitude_codes] * scales.repeat_interleave(SCALED_TOGETHER)[:len(magnitude_codes)] + mean
    return (NF4[codes] * magnitudes.repeat_interleave(BLOCK)[:len(codes)]).reshape(weights.shape)


def int8(weights):
    scales = weights.abs().amax(dim=1, keepdim=True)
    codes = torch.round(weights * (torch.tensor(127.0) / scales))  # 127 / scales would round twice: 127 * (1 / scales)
    return codes * scales * torch.tensor(1 / 127)


def fp8(weights):
    scales = weights.abs().amax(dim=1, keepdim=True) / 448
    return (weights / scales).to(torch.float8_e4m3fn).float() * scales


ROUNDED = {"nf4": nf4, "int8": int8, "fp8": fp8}


def rounded_model(model, folder, rounded):
    """The same model with the linears of its blocks rounded, routers excepted."""
    shutil.copytree(model, folder)
    tensors = load_file(model / "model.safetensors")
    for name, values in tensors.items():
        if ".layers." in name and values.dim() == 2 and not name.endswith(".gate.weight"):
            tensors[name] = rounded(values).contiguous()
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def compare_runs(name, weights, model, rounded, adapter, examples, work):
    def gap(a, b):
        return max(abs(x - y) for x, y in zip(a, b, strict=True))

    what = f"{name} {weights}"
    first = parity.ours(model, adapter, work / "first", 1, 1e-4, clip=0, weights=weights)[0]
    losses, gradients = hf_trainer.train(hf_trainer.load(rounded, adapter), examples, parity.ROWS, 1, 1e-4, 0)
    parity.report(f"{what}: first loss, relative", abs(first - losses[0]) / losses[0], 1e-6)
    mine = parity.first_gradients(work / "first")
    assert set(mine) == set(gradients), set(mine) ^ set(gradients)
    worst = max((torch.linalg.norm(mine[key] - gradients[key]) / torch.linalg.norm(gradients[key])).item() for key in mine)
    parity.report(f"{what}: every gradient, relative norm", worst, 1e-5)
    curve = parity.ours(model, adapter, work / "curve", parity.STEPS, 2e-4, weights=weights)
    theirs = hf_trainer.train(hf_trainer.load(rounded, adapter), examples, parity.ROWS, parity.STEPS, 2e-4)[0]
    parity.report(f"{what}: {parity.STEPS} steps at 2e-4, largest gap", gap(curve, theirs), 1e-4)
    same = parity.ours(rounded, adapter, work / "rounded", parity.STEPS, 2e-4)
    parity.report(f"{what}: ours on the rounded weights, largest gap", gap(curve, same), 0.0)
    three = parity.ours(model, adapter, work / "three", parity.STEPS, 2e-4, devices="cpu:3", weights=weights)
    parity.report(f"{what}: 3 devices against 1, largest gap", gap(curve, three), 0.0)
    whole = parity.ours(model, adapter, work / "whole", parity.STEPS, 2e-4)
    if not gap(curve, whole) > 1e-4:
        sys.exit(f"{what}: the curve is that of the weights as they are, so the comparison proves nothing")


def compare_rounding():
    """With bitsandbytes: codes are the same, but for those of magnitudes whose mean it adds up in another order."""
    from bitsandbytes import functional
    torch.manual_seed(3)
    for shape in ((512, 1024), (300, 192), (48, 100)):
        weights = (torch.randn(shape) * 0.05).to(torch.bfloat16)
        codes, state = functional.quantize_4bit(weights, blocksize=BLOCK, quant_type="nf4", compress_statistics=True)
        ours, magnitude_codes, scales, mean = packed_nf4(weights.float())
        theirs = torch.stack([codes.flatten() >> 4, codes.flatten() & 15], dim=1).flatten()
        parity.report(f"bitsandbytes {shape}: 4-bit codes that differ", (theirs != ours).sum().item(), 0)
        off = (magnitude_codes.int() - state.absmax.int()).abs()
        parity.report(f"bitsandbytes {shape}: 8-bit codes, largest difference", off.max().item(), 1)
        parity.report(f"bitsandbytes {shape}: share of 8-bit codes that differ", (off > 0).float().mean().item(), 5e-3)
        parity.report(f"bitsandbytes {shape}: mean, relative", (abs(mean - state.offset) / mean).item(), 2e-7)
        state.dtype = torch.float32
        magnitudes = dynamic_code()[state.absmax.int()] * state.state2.absmax.repeat_interleave(SCALED_TOGETHER)[
            :len(state.absmax)] + state.offset
        unpacked = (NF4[theirs.int()] * magnitudes.repeat_interleave(BLOCK)[:len(theirs)]).reshape(shape)
        differ = unpacked != functional.dequantize_4bit(codes, state)
        parity.report(f"bitsandbytes {shape}: unpacked values that differ", differ.sum().item(), 0)


def main():
    if importlib.util.find_spec("bitsandbytes"):
        compare_rounding()
    else:
        print("without bitsandbytes: rounding by the formats' descriptions alone")
    with tempfile.TemporaryDirectory() as folder:
        for name in [*tiny_models.ARCHITECTURES, "qwen2_moe"]:
            model = tiny_models.make_model(name, pathlib.Path(folder) / name / "model")
            adapter = pathlib.Path(folder) / name / "adapter"
            hf_trainer.make_adapter(model, adapter)
            examples = hf_trainer.encode(model, model / "rows.jsonl")
            for weights, rounded in ROUNDED.items():
                work = pathlib.Path(folder) / name / weights
                rounded_folder = rounded_model(model, work / "model", rounded)
                compare_runs(name, weights, model, rounded_folder, adapter, examples, work)
    failed = parity.results.count(False)
    print(f"{len(parity.results) - failed} comparisons passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
