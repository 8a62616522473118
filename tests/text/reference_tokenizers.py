# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixture tokenizers on real strings: ids, offsets and decoded text, at once and streamed."""

import csv
import gzip
import json
import pathlib
import random
import shutil
import tempfile
import unicodedata

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


def long():
    """Texts that are cut into parts, and words that are encoded stretch by stretch."""
    draw = random.Random(3)

    def many(parts, kilobytes=100):
        pieces, size = [], 0
        while size < kilobytes * 1000:
            pieces.append(draw.choice(parts))
            size += len(pieces[-1].encode())
        return "".join(pieces)

    scripts = [chr(code) for begin, end in ((0x61, 0x7b), (0xe0, 0x17f), (0x391, 0x3ca), (0x410, 0x450), (0x5d0, 0x5eb), (0x627, 0x64b),
                                            (0x905, 0x93a), (0xe01, 0xe2f), (0x4e00, 0x4f00), (0xac00, 0xad00), (0x1f600, 0x1f640))
               for code in range(begin, end)]
    marks = ["\u0301", "\u0323", "\u0344", "\u093c", "\u3099", "\u0338", "\u200d", "\ufe0f"]
    words = ["the", " river", " runs", " on", ", ", ".\n", " Straße", " naïve", " 1984", " and", " so"]
    decomposed = [unicodedata.normalize("NFD", text) for text in ("é", " café", "Ấn", " Độ", "한국", " 각", "がぎ", " Å", "ṩ", "x", " ", "ﬁ")]
    yield "words", many(words)
    yield "scripts", many(scripts)
    yield "scripts with blanks", many(scripts + [" "] * 80)
    yield "decomposed", many(decomposed)
    yield "marks", many(scripts[:300] + marks * 40)
    yield "marks alone", many(marks[:2], 20)
    yield "edges", many(EDGES, 300)
    yield "random characters", "".join(chr(draw.choice((draw.randrange(1, 0x3000), draw.randrange(0x3000, 0xd800),
                                                        draw.randrange(0xe000, 0x110000)))) for _ in range(40000))
    for repeated in ("a", " ", "=", "\n", "ab", "xyx", "é", "e\u0301", "中", "▁", "\t ", "ha", "👩\u200d"):
        yield f"{repeated!r} again and again", repeated * (100000 // len(repeated.encode()))
    yield "bases", many(list("ACGT"))
    yield "letters", many([chr(code) for code in range(0x61, 0x7b)])
    yield "base64", many(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    yield "digits", many(list("0123456789"))
    yield "Chinese without a stop", many(scripts[-448:-192])
    yield "Thai", many(["ภาษา", "ไทย", "ไม่มี", "ช่อง", "ว่าง", "เลย"])


def folders(fixtures, into):
    """The tokenizers as model folders."""
    source = fixtures / "tokenizers"
    layout = {
        "qwen3": {"tokenizer.json": "qwen3/tokenizer.json", "tokenizer_config.json": "qwen3/tokenizer_config.json"},
        "llama2": {name: f"llama2/{name}" for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")},
        "llama3.1": {"tokenizer.json": "llama3.1/tokenizer.json", "tokenizer_config.json": "llama3.1/tokenizer_config.llama-3.2-1B.json"},
        "gpt-oss": {"tokenizer.json": "gpt-oss/tokenizer.json.gz", "tokenizer_config.json": "gpt-oss/tokenizer_config.json"},
        "qwen2.5": {"tokenizer.json": "qwen2.5/tokenizer.reconstructed.json.gz", "tokenizer_config.json": "qwen2.5/tokenizer_config.json"},
        "llama2 as its file is": {"tokenizer.json": "llama2/tokenizer.json"},
        "stories260K as its file is": {"tokenizer.json": "../weights/stories260K-hf/tokenizer.json"},
    }
    for name, files in layout.items():
        target = pathlib.Path(into) / name
        target.mkdir()
        for to, origin in files.items():
            opener = gzip.open if origin.endswith(".gz") else open
            with opener(source / origin, "rb") as read, open(target / to, "wb") as write:
                shutil.copyfileobj(read, write)
        if "tokenizer_config.json" not in files:
            (target / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
        yield name, target


def byteOffsets(text, offsets):
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return [[starts[begin], starts[end]] for begin, end in offsets]


def compareIds(report, probe, name, theirs, folder, text):
    ids = {}
    for special in (False, True):
        encoded = theirs(text, add_special_tokens=special, return_offsets_mapping=True)
        ids[special] = encoded["input_ids"]
        found = probe.ask(op="encode", folder=folder, text=text, special=special)
        offsets = byteOffsets(text, encoded["offset_mapping"])
        check(report, f"{name} ids (special={special})", text, encoded["input_ids"], found.get("ids"))
        check(report, f"{name} offsets (special={special})", text, offsets, found.get("offsets"))
    return ids[True]


def compareText(report, probe, name, theirs, folder, text):
    ids = compareIds(report, probe, name, theirs, folder, text)
    for skip in (False, True):
        expected = theirs.decode(ids, skip_special_tokens=skip, clean_up_tokenization_spaces=False)
        for op in ("decode", "stream"):
            found = probe.ask(op=op, folder=folder, ids=ids, skip=skip).get("text")
            check(report, f"{name} {op} (skip={skip})", text, expected, found)


def check(report, what, text, expected, found):
    if expected == found:
        report.numEqual += 1
        return
    if isinstance(expected, list) and isinstance(found, list):  # of a long text only where they part
        at = next((i for i, pair in enumerate(zip(expected, found)) if pair[0] != pair[1]), min(len(expected), len(found)))
        expected, found = (f"{tokens[at:at + 20]} from {at} on" for tokens in (expected, found))
    report.wrong(f"{what} of {text[:200]!r}", expected, found)


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
            for kind, text in long():
                compareIds(report, probe, f"{name}, {kind}:", theirs, str(folder), text)
            print(f"{name} ({type(theirs).__name__}): {len(strings)} strings, {report.numEqual - before} comparisons equal")
