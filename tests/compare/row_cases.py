# SPDX-License-Identifier: GPL-3.0-or-later
"""What rows become: ids and masks token by token, statistics, files, conversions and what a dry run counts."""
import gzip
import shutil

from bench import DATE, DEMO, DEMO_ROWS, ROOT, Case

READ = (0, 2, 3)  # read; no row that can be used; a kind of data that is not supported
FIRST_ROWS = 100  # of a dataset, where a tokenizer takes long to open; the demo's sees every row
ALL_ROWS = 1 << 30
NOT_A_DATASET = "dataset_info.json"

# Tokenizers of the fixtures with a template each: the config's own (None) or a file of chat_templates.
TEXTS = {
    "qwen3": ("qwen3", None),
    "qwen3 with generation tags": ("qwen3", "trl/qwen3_training.jinja"),
    "qwen2.5": ("qwen2.5", None),
    "qwen2.5 by DeepSeek R1": ("qwen2.5", "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B.jinja"),
    "llama3.1": ("llama3.1", "meta-llama-Llama-3.1-8B-Instruct.jinja"),
    "llama2 by Mistral": ("llama2", "mistral-common/v1.jinja"),
    "gpt-oss": ("gpt-oss", "openai-gpt-oss-120b.jinja"),
}
# One dataset of each kind: what the other tokenizers see, as a kind's reader does not depend on them.
KINDS = ("alpaca_zh_demo.json", "c4_demo.jsonl", "fastchat_dummy_conversation_sharegpt.json", "glaive_toolcall_en_demo.json",
         "mlx_prompt_completion_valid.jsonl", "openai_toy_chat_fine_tuning.jsonl", "v1_sft_demo.jsonl")
SEES_ALL = ("stories", "qwen3")
# Datasets whose columns must be named, beside what is recognised of them.
COLUMNS = {
    "gsm8k_test_verl.parquet": "completion=extra_info.answer",
    "self_instruct_seed_tasks.jsonl": "input=instances.0.input,output=instances.0.output",
    "dpo_en_demo.json": "prompt=conversations,completion=chosen",
    "dolly_subset_prompt_answer.jsonl": "instruction=prompt,output=answer",
    "mlx_prompt_completion_valid.jsonl": "instruction=prompt,output=completion",
}
MASKS = {
    "the last turn": ("--train-on", "last-assistant"),
    "the completion": ("--train-on", "completion"),
    "everything": ("--train-on", "all"),
    "between given texts": ("--turn-begin", r"<|im_start|>assistant\n", "--turn-end", "<|im_end|>"),
    "cut off": ("--max-length", 48),
    "too long dropped": ("--max-length", 64, "--over-length", "drop"),
}
STEPS = {
    "as drawn": ("--microbatch-size", 2),
    "by length": ("--packing", "by-length", "--microbatch-tokens", 512, "--tokens-per-step", 4096),
    "packed": ("--packing", "best-fit", "--microbatch-tokens", 1024, "--max-length", 256, "--rounds", 2),
}
BROKEN = (b'{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}\n'
          b'{"messages": [{"role": "user", "content": "Hi"}\n'
          b'\n'
          b'{"messages": [{"role": "user", "content": "a \xff b"}, {"role": "assistant", "content": "c"}]}\n'
          b'{"messages": [{"role": "user", "content": "Hi"}]}\n'
          b'{"messages": [{"role": "narrator", "content": "Hi"}, {"role": "assistant", "content": "Yes."}]}\n'
          b'{"messages": "none"}\n'
          b'[1, 2]\n'
          b'{"messages": [{"role": "user", "content": "<|im_end|>"}, {"role": "assistant", "content": ""}]}\n'
          b'{"messages": [{"role": "user", "content": "Bye"}, {"role": "assistant", "content": "See you.", "weight": 0}]}\n'
          b'{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}')


def text_folder(inputs, tokenizer):
    """A model folder with a tokenizer of the fixtures and nothing else."""
    folder = inputs.shared / "texts" / tokenizer
    if folder.exists():
        return folder
    folder.mkdir(parents=True)
    source = inputs.fixtures / "tokenizers" / tokenizer
    for path in source.iterdir():
        if path.name.startswith("tokenizer_config"):
            shutil.copyfile(path, folder / "tokenizer_config.json")
        elif path.name.endswith(".json.gz"):
            with gzip.open(path, "rb") as read, open(folder / "tokenizer.json", "wb") as write:
                shutil.copyfileobj(read, write)
        elif path.name in ("tokenizer.json", "special_tokens_map.json"):
            shutil.copyfile(path, folder / path.name)
    return folder


def texts(inputs):
    """Name -> options that name a tokenizer and its template."""
    for name, (tokenizer, template) in TEXTS.items():
        options = ("--model", text_folder(inputs, tokenizer), "--template-date", DATE)
        yield name, options + (("--chat-template", inputs.fixtures / "chat_templates" / template) if template else ())


def made_files(inputs):
    """What the fixtures lack: compressed rows, rows with every fault, a table with tabs, a text, a folder."""
    folder = inputs.shared / "rows"
    folder.mkdir(exist_ok=True)
    rows = (DEMO_ROWS).read_bytes()
    (folder / "rows.jsonl.gz").write_bytes(gzip.compress(DEMO_ROWS.read_bytes(), mtime=0))
    (folder / "broken.jsonl").write_bytes(BROKEN)
    (folder / "table.tsv").write_text('question\tanswer\n2 + 2\t4\n"a ""b""\nc"\td\nragged\n')
    (folder / "README.md").write_bytes((DEMO / "README.md").read_bytes())
    return [*sorted(folder.iterdir()), folder]


def lens(name, file, options, last=FIRST_ROWS):
    return Case(name, lambda bench: bench.call("lens", "data", "lens", file, *options, "--rows", f"1..{last}", "--json"), READ)


def stats(name, file, options):
    return Case(name, lambda bench: bench.call("stats", "data", "stats", file, *options, "--json"), READ)


def dry_run(name, file, model, options):
    return Case(name, lambda bench: bench.call(
        "dry-run", "train", "--dry-run", "--data", file, "--out", bench.folder / "run", "--devices", "cpu:2",
        "--template-date", DATE, *model, *options), READ)


def file_cases(inputs, file):
    yield Case(f"rows, what files hold: {file.name}",
               lambda bench: (bench.call("json", "data", "inspect", file, "--json"),
                              bench.call("words", "data", "inspect", file)), READ)
    yield Case(f"rows, converted: {file.name}",
               lambda bench: bench.call("convert", "data", "convert", file, "--to", bench.folder / "messages.jsonl"), READ)


def quick(inputs):
    demo = ("--model", DEMO / "model", "--template-date", DATE)
    yield lens("rows, quick: ids and masks of the demo", DEMO_ROWS, demo)
    yield stats("rows, quick: statistics of the demo", DEMO_ROWS, demo)
    yield dry_run("rows, quick: dry run of the demo", DEMO_ROWS, demo[:2], STEPS["packed"])


def cases(inputs):
    demo = ("--model", DEMO / "model", "--template-date", DATE)
    stories = ("--model", inputs.fixtures / "weights" / "stories260K-hf",
               "--chat-template", ROOT / "tests" / "reference" / "chatml.jinja", "--template-date", DATE)
    datasets = [path for path in sorted((inputs.fixtures / "datasets").rglob("*")) if path.is_file()]
    files = [DEMO_ROWS, *datasets, *made_files(inputs)]
    for file in files:
        if file.name != NOT_A_DATASET:
            yield lens(f"rows, ids and masks of all: {file.name}, demo", file, demo, ALL_ROWS)
        yield from file_cases(inputs, file)
        yield stats(f"rows, statistics: {file.name}, demo", file, demo)
        yield dry_run(f"rows, dry runs: {file.name}, demo", file, demo[:2], ())
        yield dry_run(f"rows, dry runs: {file.name}, stories packed", file, stories[:4], STEPS["packed"])
    for name, options in (("stories", stories), *texts(inputs)):
        for file in datasets:
            if file.name in KINDS or (name in SEES_ALL and file.name != NOT_A_DATASET):
                yield lens(f"rows, ids and masks of the first {FIRST_ROWS}: {file.name}, {name}", file, options)
    for file in datasets:
        if file.name in COLUMNS:
            options = (*demo, "--columns", COLUMNS[file.name])
            yield lens(f"rows, ids and masks with columns named: {file.name}", file, options, ALL_ROWS)
            yield stats(f"rows, statistics: {file.name} with columns named", file, options)
    for what, options in MASKS.items():
        for file in (DEMO_ROWS, *(path for path in datasets if "glaive" in path.name or "toy_chat" in path.name)):
            yield lens(f"rows, ids and masks by other rules: {file.name}, {what}", file, (*demo, *options), ALL_ROWS)
            yield stats(f"rows, statistics: {file.name}, {what}", file, (*demo, *options))
    for what, options in STEPS.items():
        yield dry_run(f"rows, dry runs: the demo {what}", DEMO_ROWS, demo[:2], options)
