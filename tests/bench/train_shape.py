# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains a random-weight Qwen3-shaped model by roundpipe for some steps; prints tokens/s and peak GPU memory.

usage: train_shape.py ROUNDPIPE SHAPE(0.6b|1.7b|8b|32b) [roundpipe train options …]

Rows are longer than the length limit, so every example has --max-length tokens (2048 unless given).
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "reference"))

SHAPES = {
    "0.6b": dict(hidden_size=1024, intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16, tie_word_embeddings=True),
    "1.7b": dict(hidden_size=2048, intermediate_size=6144, num_hidden_layers=28, num_attention_heads=16, tie_word_embeddings=True),
    "8b": dict(hidden_size=4096, intermediate_size=12288, num_hidden_layers=36, num_attention_heads=32, tie_word_embeddings=False),
    "32b": dict(hidden_size=5120, intermediate_size=25600, num_hidden_layers=64, num_attention_heads=64, tie_word_embeddings=False),
}


def config_of(shape):
    return dict(architectures=["Qwen3ForCausalLM"], model_type="qwen3", vocab_size=151936, num_key_value_heads=8,
                head_dim=128, max_position_embeddings=40960, rms_norm_eps=1e-6, rope_theta=1e6, hidden_act="silu",
                torch_dtype="bfloat16", eos_token_id=2, attention_bias=False, **SHAPES[shape])


def make_folder(shape, folder):
    import tiny_models  # needs the tests' libraries, which who only wants a config may not have

    folder.mkdir()
    tiny_models.make_tokenizer(folder)
    (folder / "config.json").write_text(json.dumps(config_of(shape)))
    words = " ".join(tiny_models.WORDS)
    with open(folder / "rows.jsonl", "w") as out:
        for i in range(64):
            turns = [{"role": "user", "content": f"Row {i}."}, {"role": "assistant", "content": (words + f" {i} ") * 60}]
            out.write(json.dumps({"messages": turns}) + "\n")


def watch_memory(peaks, stop):
    while not stop.is_set():
        used = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                              capture_output=True, text=True).stdout.split()
        for gpu, value in enumerate(used):
            peaks[gpu] = max(peaks.get(gpu, 0), int(value))
        time.sleep(0.1)


def main():
    roundpipe, shape, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "model"
        make_folder(shape, folder)
        out = pathlib.Path(temporary) / "run"
        command = [roundpipe, "train", "--model", folder, "--data", folder / "rows.jsonl", "--out", out, "--random-weights",
                   "--train-on", "all", "--max-length", "2048", "--validation-fraction", "0", "--quiet", *options]
        peaks, stop = {}, threading.Event()
        watcher = threading.Thread(target=watch_memory, args=(peaks, stop))
        watcher.start()
        begun = time.time()
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        stop.set()
        watcher.join()
        if done.returncode != 0:
            sys.exit(f"roundpipe train failed ({done.returncode}): {done.stdout}{done.stderr}")
        steps = [json.loads(line) for line in open(out / "metrics.jsonl")]
        rate = statistics.median(step["tokens"] / step["seconds"] for step in steps[2:])
        print(json.dumps(dict(shape=shape, options=options, steps=len(steps), tokens_per_step=steps[-1]["tokens"],
                              tokens_per_s=round(rate), step_s=[round(step["seconds"], 3) for step in steps],
                              first_loss=steps[0]["loss"], last_loss=steps[-1]["loss"], peak_mib=peaks,
                              whole_s=round(time.time() - begun, 1))))


if __name__ == "__main__":
    main()
