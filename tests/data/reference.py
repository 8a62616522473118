"""Our ids and masks against transformers' apply_chat_template(return_assistant_tokens_mask=True).

Exit codes: 0 equal, 1 not, 77 nothing to compare with.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
CASES = (("qwen3", "qwen3_training.jinja"), ("gpt-oss", "gptoss_training.jinja"))
HARD_TEXTS = ("plain", "Grüß Gott, 你好 👋🏽", "  spaces around \n", "def f(x):\n    return x ** 2\n", "e\u0301 and é", "<b>&amp;</b>")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--checkout", required=True)
    return parser.parse_args()


def rows(fixtures):
    """Conversations in OpenAI's form: real ones, and hard texts in several turns."""
    with open(os.path.join(fixtures, "datasets/openai_toy_chat_fine_tuning.jsonl"), encoding="utf-8") as file:
        yield from (json.loads(line)["messages"] for line in file)
    with open(os.path.join(fixtures, "datasets/llama_factory/alpaca_en_demo.json"), encoding="utf-8") as file:
        alpaca = json.load(file)
    with open(os.path.join(fixtures, "datasets/llama_factory/alpaca_zh_demo.json"), encoding="utf-8") as file:
        alpaca += json.load(file)
    for row in alpaca:
        if row["output"]:
            yield [{"role": "user", "content": row["instruction"] + ("\n" + row["input"] if row["input"] else "")},
                   {"role": "assistant", "content": row["output"]}]
    for first in HARD_TEXTS:
        for second in HARD_TEXTS:
            yield [{"role": "system", "content": second}, {"role": "user", "content": first},
                   {"role": "assistant", "content": second}, {"role": "user", "content": second},
                   {"role": "assistant", "content": first}]


def tokenizer_folder(source, folder):
    for name in os.listdir(source):
        path = os.path.join(source, name)
        if name.endswith(".gz"):
            with gzip.open(path) as packed, open(os.path.join(folder, name[:-3]), "wb") as plain:
                shutil.copyfileobj(packed, plain)
        else:
            shutil.copy(path, folder)


def compare(probe, fixtures, name, template_name):
    from transformers import AutoTokenizer

    with tempfile.TemporaryDirectory() as folder:
        tokenizer_folder(os.path.join(fixtures, "tokenizers", name), folder)
        template = os.path.join(fixtures, "chat_templates/trl", template_name)
        data = os.path.join(folder, "rows.jsonl")
        conversations = list(rows(fixtures))
        with open(data, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"messages": messages}, ensure_ascii=False) + "\n" for messages in conversations)
        printed = subprocess.run([probe, folder, template, data], capture_output=True, text=True, check=False)
        if printed.returncode != 0:
            return [printed.stderr]
        ours = {row["number"]: row for row in map(json.loads, printed.stdout.splitlines())}
        tokenizer = AutoTokenizer.from_pretrained(folder)
        with open(template, encoding="utf-8") as file:
            tokenizer.chat_template = file.read()
        problems, trained = [], 0
        for number, messages in enumerate(conversations, 1):
            theirs = tokenizer.apply_chat_template(messages, return_dict=True, return_assistant_tokens_mask=True)
            row = ours.get(number, {"dropped": "the row is missing"})
            if "dropped" in row:
                problems.append(f"{name}, row {number}: {row['dropped']}")
            elif row["ids"] != theirs["input_ids"]:
                problems.append(f"{name}, row {number}: other ids")
            elif row["trained"] != theirs["assistant_masks"]:
                problems.append(f"{name}, row {number}: another mask: {messages}")
            trained += sum(theirs["assistant_masks"])
        print(f"{name} with {template_name}: {len(conversations)} rows, {trained} trained tokens, "
              f"{len(problems)} differences")
        return problems


def main():
    options = arguments()
    fixtures = os.environ.get("ROUNDPIPE_FIXTURES") or os.path.join(os.path.dirname(options.checkout), "shared/fixtures")
    if not os.path.isdir(fixtures):
        print("skipped: the shared fixtures are not beside this checkout; set ROUNDPIPE_FIXTURES")
        return SKIPPED
    try:
        import transformers  # noqa: F401
    except ImportError:
        print("skipped: transformers is not installed here; packaging/setup fetches it")
        return SKIPPED
    problems = [problem for name, template in CASES for problem in compare(options.probe, fixtures, name, template)]
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
