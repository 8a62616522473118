# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of a large generated set by two builds of roundpipe, in turns: their times, and whether they say the same.

    python tests/bench/data_stats.py --old OLD/roundpipe --new build/release/app/cli/roundpipe [--rows 900000] [--rounds 1]

The rows are of one exchange, as sets of instructions have them, of data_rate.py's words; tokenizer and template are
Qwen3's (masked by sentinels); nothing is in the cache before a run. Where other jobs share the machine, the ratio of processor times is the one to trust.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import tempfile
import time

import data_rate


def arguments():
    checkout = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser()
    parser.add_argument("--old", required=True)
    parser.add_argument("--new", required=True)
    parser.add_argument("--rows", type=int, default=900000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--fixtures", default=os.environ.get("ROUNDPIPE_FIXTURES", os.path.join(checkout, "../shared/fixtures")))
    return parser.parse_args()


def write_rows(path, count):
    """A question of 5 to 30 words, an answer of 10 to 90."""
    draw = random.Random(2)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            question, answer = (" ".join(draw.choices(data_rate.WORDS, k=draw.randint(*words))) for words in ((5, 30), (10, 90)))
            messages = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
            file.write(json.dumps({"messages": messages}, ensure_ascii=False) + "\n")


def statistics(program, data, model):
    """Seconds by the clock and of the processor, and what is said."""
    with tempfile.TemporaryDirectory() as cache:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        done = subprocess.run([program, "data", "stats", data, "--model", model, "--json"], capture_output=True, text=True,
                              check=True, env={**os.environ, "XDG_CACHE_HOME": cache})
        seconds = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, cpu, json.loads(done.stdout)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        data, model = os.path.join(folder, "rows.jsonl"), os.path.join(folder, "model")
        os.mkdir(model)
        data_rate.tokenizer_folder(os.path.join(options.fixtures, "tokenizers/qwen3"), model)
        write_rows(data, options.rows)
        print(f"{options.rows} conversations, {os.path.getsize(data) / 1e6:.1f} MB", flush=True)
        said, times = {}, {"old": [], "new": []}
        for _ in range(options.rounds):
            for name in times:
                seconds, cpu, said[name] = statistics(getattr(options, name), data, model)
                times[name].append((seconds, cpu))
                print(f"{name}: {seconds:8.2f} s by the clock, {cpu:8.2f} s of the processor, {said[name]['tokens']} tokens, "
                      f"{said[name]['near_duplicates']['rows']} near duplicates", flush=True)
        ratios = [min(time[kind] for time in times["old"]) / min(time[kind] for time in times["new"]) for kind in (0, 1)]
        print(f"the new one is {ratios[0]:.2f} times as fast by the clock, {ratios[1]:.2f} in processor time; "
              f"what they say is {'the same' if said['old'] == said['new'] else 'NOT the same'}")


if __name__ == "__main__":
    main()
