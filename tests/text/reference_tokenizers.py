# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixture tokenizers on real strings: ids, offsets and decoded text, at once and streamed."""

import csv
import gzip
import json
import pathlib
import random
import shutil
import tempfile

NUM_STRINGS = 2500
EDGES = [
    "", " ", "  ", "\n", "\n\n\n", "\t", " a", "a ", "  a  b  ", "a\r\nb", "\u00a0", "\u3000x", "\u200b\u200d", "\ufeffbom",
    "é", "e\u0301", "ﬁ ligature", "ǅ", "ß", "İstanbul", "Ω≈ç√∫", "日本語のテキスト", "中文，标点。", "한국어 문장", "العربية نص",
    "עברית", "हिन्दी में", "ไทยไม่มีช่องว่าง", "Ελληνικά", "русский текст", "🙂", "👩‍👩‍👧‍👦 family", "🏳️‍🌈", "🇨🇭", "a🙂b\u0000c",
    "don't can't I'LL we'Ve", "1234567890 12,345.67", "3.14e-10", "x=y+z;//c", "    def f(x):\n\t\treturn x\n", "<s> hi </s>",
    "<|im_start|>user\nhi<|im_end|>\n", "<|endoftext|>", "<|begin_of_text|><|eot_id|> x", "<|start|>a<|message|>b<|end|>",
    "<tool_call>\n{}\n</tool_call>", "<think>\n\n</think>", "</s><s>", " <s>x", "[INST] a [/INST]", "<unk>", "▁under▁score",
    "\\n literal", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "\U0010ffff", "\ufffd", "\x07\x1b[0m", "a" * 300, "é" * 50, "   " * 40, "\n \n \n", "http://x.y/z?q=1&r=%20",
]


def texts(folder):
    """Every string in the datasets, in a fixed random order."""
    found = set()

    def walk(value):
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, list):
            for item in value:
                walk(item)
        elif isinstance(value, dict):
            for item in value.values():
                walk(item)

    for path in sorted((folder / "datasets").rglob("*")):
        if path.suffix == ".jsonl":
            for line in path.read_text(encoding="utf-8").splitlines():
                walk(json.loads(line) if line.strip() else None)
        elif path.suffix == ".json":
            walk(json.loads(path.read_text(encoding="utf-8")))
        elif path.suffix == ".csv":
            with open(path, encoding="utf-8", newline="") as handle:
                walk(list(csv.reader(handle)))
    chosen = sorted(text for text in found if len(text) < 4000)
    random.Random(1).shuffle(chosen)
    chinese = [text for text in chosen if any("\u4e00" <= c <= "\u9fff" for c in text)][:500]
    return EDGES + made() + chinese + chosen[:NUM_STRINGS]


def made():
    """Random mixtures of what the datasets rarely hold side by side."""
    draw = random.Random(2)
    parts = EDGES + [chr(draw.choice((draw.randrange(0x20, 0x250), draw.randrange(0x300, 0x3000), draw.randrange(0x4e00, 0x9fff),
                                      draw.randrange(0x1f300, 0x1f700)))) for _ in range(300)]
    return ["".join(draw.choices(parts, k=draw.randint(2, 12))) for _ in range(400)]


def folders(fixtures, into):
    """The tokenizers as model folders."""
    source = fixtures / "tokenizers"
    layout = {
        "qwen3": {"tokenizer.json": "tokenizer.json", "tokenizer_config.json": "tokenizer_config.json"},
        "llama2": {name: name for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")},
        "llama3.1": {"tokenizer.json": "tokenizer.json", "tokenizer_config.json": "tokenizer_config.llama-3.2-1B.json"},
        "gpt-oss": {"tokenizer.json": "tokenizer.json.gz", "tokenizer_config.json": "tokenizer_config.json"},
        "qwen2.5": {"tokenizer.json": "tokenizer.reconstructed.json.gz", "tokenizer_config.json": "tokenizer_config.json"},
    }
    for name, files in layout.items():
        target = pathlib.Path(into) / name
        target.mkdir()
        for to, origin in files.items():
            opener = gzip.open if origin.endswith(".gz") else open
            with opener(source / name / origin, "rb") as read, open(target / to, "wb") as write:
                shutil.copyfileobj(read, write)
        yield name, target


def byteOffsets(text, offsets):
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return [[starts[begin], starts[end]] for begin, end in offsets]


def compareText(report, probe, name, theirs, folder, text):
    def check(what, expected, found):
        if expected == found:
            report.numEqual += 1
        else:
            report.wrong(f"{name} {what} of {text[:200]!r}", expected, found)

    ids = {}
    for special in (False, True):
        encoded = theirs(text, add_special_tokens=special, return_offsets_mapping=True)
        ids[special] = encoded["input_ids"]
        found = probe.ask(op="encode", folder=folder, text=text, special=special)
        check(f"ids (special={special})", encoded["input_ids"], found.get("ids"))
        check(f"offsets (special={special})", byteOffsets(text, encoded["offset_mapping"]), found.get("offsets"))
    for skip in (False, True):
        expected = theirs.decode(ids[True], skip_special_tokens=skip, clean_up_tokenization_spaces=False)
        check(f"text (skip={skip})", expected, probe.ask(op="decode", folder=folder, ids=ids[True], skip=skip).get("text"))
        check(f"stream (skip={skip})", expected, probe.ask(op="stream", folder=folder, ids=ids[True], skip=skip).get("text"))


def compareNames(report, probe, name, theirs, folder):
    found = probe.ask(op="special", folder=folder)
    for key in ("bos_token", "eos_token", "unk_token", "pad_token"):
        text = getattr(theirs, key)
        expected = None if text is None else [text, theirs.convert_tokens_to_ids(text)]
        if found["tokens"].get(key) == expected:
            report.numEqual += 1
        else:
            report.wrong(f"{name} {key}", expected, found["tokens"].get(key))
    if found["size"] != len(theirs):
        report.wrong(f"{name} vocabulary size", len(theirs), found["size"])


def compare(report, probe, fixtures):
    from transformers import AutoTokenizer

    strings = texts(fixtures)
    with tempfile.TemporaryDirectory() as into:
        for name, folder in folders(fixtures, into):
            before = report.numEqual
            theirs = AutoTokenizer.from_pretrained(folder)
            compareNames(report, probe, name, theirs, str(folder))
            for text in strings:
                compareText(report, probe, name, theirs, str(folder), text)
            print(f"{name} ({type(theirs).__name__}): {len(strings)} strings, {report.numEqual - before} comparisons equal")
