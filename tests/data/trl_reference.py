# SPDX-License-Identifier: GPL-3.0-or-later
"""Our ids and trained tokens against those of the dataset that TRL's SFTTrainer prepares from the same rows.

The trainer runs as a user would run it, with a model of random weights that is never called. Where we differ on
purpose, a rule says what TRL has instead; the rows that it applies to are counted, and equal it exactly:
- the completion of a chat: TRL trains all that stands behind the prompt as it is rendered for generation, also what
  the template adds to the answer; we train the answer and its end, or what the template's {% generation %} tags say;
- prompt and completion as texts: TRL trains from the first token that the prompt alone would not have; we train the
  tokens that hold a byte of the completion;
- BOS spelled out at the beginning of a text: TRL has it twice; we never have;
- a text that is empty: TRL trains its EOS; we drop the row, saying so.
The label of a row's first token is not compared, as nothing before it predicts it.

Exit codes: 0 as stated, 1 not, 77 nothing to compare with.
"""

import argparse
import glob
import json
import logging
import os
import sys
import tempfile
import warnings
from typing import Callable, NamedTuple

from reference_files import HARD_TEXTS, SKIPPED, fixtures_of, ours, read_json, tokenizer_folder, write_rows


class Case(NamedTuple):
    name: str
    tokenizer: str
    template: str
    rows: list  # as TRL reads them
    config: dict  # of SFTConfig
    train_on: str = "assistant"
    our_file: str = ""  # where we read another form of the rows
    max_length: int = 0
    rule: Callable | None = None  # (row, our row, tokenizer) → TRL's ids and mask
    num_different: int = 0  # rows in which the rule makes a difference


# Rows ------------------------------------------------------------------------------------------------------------

def asked(question, answer):
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


def chats(datasets):
    """Lists of messages: real ones, and hard texts in several turns."""
    rows = [row["messages"] for row in read_json(f"{datasets}/openai_toy_chat_fine_tuning.jsonl")]
    for name in ("en", "zh"):
        for row in read_json(f"{datasets}/llama_factory/alpaca_{name}_demo.json")[:100]:
            rows.append(asked(row["instruction"] + ("\n" + row["input"] if row["input"] else ""), row["output"]))
    rows += [[{"role": "system", "content": second}, *asked(first, second), *asked(second, first)]
             for first in HARD_TEXTS for second in HARD_TEXTS]
    return [row for row in rows if row[-1]["content"]]


def shared(file):
    """ShareGPT's turns as messages."""
    roles = {"human": "user", "gpt": "assistant"}
    return [{"messages": [{"role": roles[turn["from"]], "content": turn["value"]} for turn in row["conversations"]]}
            for row in read_json(file)]


def with_tools(file):
    """The same with calls of tools and their answers, the tools as JSON in a string, as TRL takes them."""
    def message(turn):
        if turn["from"] == "function_call":
            calls = json.loads(turn["value"])
            calls = calls if isinstance(calls, list) else [calls]
            return {"role": "assistant", "content": "",
                    "tool_calls": [{"type": "function", "function": call} for call in calls]}
        roles = {"human": "user", "gpt": "assistant", "observation": "tool"}
        return {"role": roles[turn["from"]], "content": turn["value"]}

    def tools(row):
        return json.dumps([{"type": "function", "function": tool} for tool in json.loads(row["tools"] or "[]")])

    return [{"messages": list(map(message, row["conversations"])), "tools": tools(row)} for row in read_json(file)]


def completions(datasets):
    """Pairs of texts: real ones, ones whose border lies inside a word, and hard texts."""
    pairs = [(row["prompt"], row["completion"]) for row in read_json(f"{datasets}/mlx_prompt_completion_train.jsonl")]
    pairs += [(row["prompt"], row["answer"]) for row in read_json(f"{datasets}/dolly_subset_prompt_answer.jsonl")]
    pairs += [(row["question"], row["answer"]) for row in read_json(f"{datasets}/gsm8k_train.jsonl")[:500]]
    pairs = pairs[::5]
    texts = [" ".join(pair) for pair in pairs[::4]]
    pairs += [(text[:cut], text[cut:cut + 200]) for text in texts for cut in (7, 12, 20, 26, 33)]
    pairs += [(first, second) for first in HARD_TEXTS for second in HARD_TEXTS]
    return [{"prompt": prompt, "completion": completion} for prompt, completion in pairs if completion]


# What TRL has where it differs --------------------------------------------------------------------------------------

def behind_the_prompt(before="", after="", without=""):
    """Adds the tokens of `before` and `after` to the ends of what we train, or takes `without` off its beginning."""
    def rule(_row, our, tokenizer):
        def encode(text):
            return tokenizer(text, add_special_tokens=False)["input_ids"]
        ids, mask = our["ids"], list(our["trained"])
        first, end = mask.index(1), len(mask) - mask[::-1].index(1)
        left, right, off = encode(before), encode(after), encode(without)
        if left and ids[:first][-len(left):] == left:  # templates leave it out behind some turns
            mask[first - len(left):first] = [1] * len(left)
        if ids[end:] == right:
            mask[end:] = [1] * len(right)
        if ids[first:first + len(off)] == off:
            mask[first:first + len(off)] = [0] * len(off)
        return ids, mask
    return rule


def from_the_first_other_token(row, our, tokenizer):
    if "dropped" in our:
        return None, None
    whole = tokenizer(row["prompt"] + row["completion"], return_offsets_mapping=True)["offset_mapping"]
    ends = [end for _, end in whole] + [sys.maxsize] * (len(our["ids"]) - len(whole))  # EOS stands behind
    assert our["trained"] == [int(end > len(row["prompt"])) for end in ends[:len(our["ids"])]], row
    alone = tokenizer(row["prompt"])["input_ids"]
    start = next((i for i, (a, b) in enumerate(zip(alone, our["ids"])) if a != b), min(len(alone), len(our["ids"])))
    return our["ids"], [0] * start + [1] * (len(our["ids"]) - start)


def bos_twice_and_empty_texts(row, our, tokenizer):
    if "dropped" in our:
        assert row["text"] == "" and "is empty" in our["dropped"], our
        ids = tokenizer(tokenizer.eos_token)["input_ids"]
        return ids, [1] * len(ids)
    doubled = [tokenizer.bos_token_id] if row["text"].startswith(tokenizer.bos_token or "\0") else []
    return doubled + our["ids"], [1] * len(doubled) + our["trained"]


def cases(fixtures):
    import trl

    trl_templates = os.path.join(os.path.dirname(trl.__file__), "chat_templates")
    fixture = os.path.join(fixtures, "chat_templates/trl")
    datasets = os.path.join(fixtures, "datasets")
    glaive = f"{datasets}/llama_factory/glaive_toolcall_en_demo.json"
    vicuna = f"{datasets}/fastchat_dummy_conversation_sharegpt.json"
    chat = chats(datasets)
    messages = [{"messages": row} for row in chat]
    turns = [{"prompt": row[:-1], "completion": row[-1:]} for row in chat]
    pairs = completions(datasets)
    texts = [*read_json(f"{datasets}/llama_factory/c4_demo.jsonl"), *({"text": text} for text in HARD_TEXTS),
             {"text": ""}, {"text": "<s>once"}, {"text": "<|begin_of_text|>once"}, {"text": "ends</s>"},
             {"text": "ends<|eot_id|>"}, {"text": "ends<|im_end|>"}]

    assistant, completion = {"assistant_only_loss": True}, {"completion_only_loss": True}
    tagged = (("qwen3", f"{fixture}/qwen3_training.jinja"), ("gpt-oss", f"{fixture}/gptoss_training.jinja"),
              ("qwen2.5", f"{trl_templates}/qwen2_5_training.jinja"))
    for tokenizer, template in (*tagged, ("llama3.1", f"{trl_templates}/llama3_training.jinja")):
        yield Case("messages", tokenizer, template, messages, assistant)
    for tokenizer, template in tagged:
        yield Case("ShareGPT", tokenizer, template, shared(vicuna), assistant, our_file=vicuna)
        yield Case("tool calls", tokenizer, template, with_tools(glaive), assistant, our_file=glaive)
    plain = [row for row in messages if row["messages"][0]["role"] == "user"][:40]
    for template in sorted(glob.glob(f"{trl_templates}/*_training.jinja")):
        if "llava" not in template:  # which refuses contents that are strings
            yield Case("plain messages", "llama2", template, plain, assistant)

    everywhere = len(turns)
    for tokenizer, template, rule, count in (
            ("qwen3", f"{fixture}/qwen3_training.jinja", None, 0),
            ("llama3.1", f"{fixture}/llama3.jinja", None, 0),
            ("qwen3", f"{fixture}/qwen3.jinja", behind_the_prompt("<think>\n\n</think>\n\n", "\n"), everywhere),
            ("qwen3", f"{fixture}/qwen3_instruct_2507.jinja", behind_the_prompt(after="\n"), everywhere),
            ("gpt-oss", f"{fixture}/gptoss.jinja", behind_the_prompt(without="<|start|>assistant"), everywhere),
            ("gpt-oss", f"{fixture}/gptoss_training.jinja", behind_the_prompt(without="<|start|>assistant"),
             everywhere),
            ("qwen2.5", f"{trl_templates}/qwen2_5_training.jinja", behind_the_prompt(without="\n"), everywhere)):
        both = assistant if "_training" in template else {}
        yield Case("prompt and completion of messages", tokenizer, template, turns, {**completion, **both},
                   train_on="completion", rule=rule, num_different=count)

    unused = f"{fixture}/llama3.jinja"
    for tokenizer, inside, other in (("qwen3", 11, 1), ("llama3.1", 12, 2), ("llama2", 15, 2), ("gpt-oss", 13, 1)):
        yield Case("prompt and completion", tokenizer, unused, pairs, completion,
                   rule=from_the_first_other_token, num_different=inside)
        yield Case("prompt and completion", tokenizer, unused, pairs, completion, max_length=40,
                   rule=from_the_first_other_token, num_different=inside)
        yield Case("text", tokenizer, unused, texts, {}, rule=bos_twice_and_empty_texts, num_different=other)
        yield Case("text", tokenizer, unused, texts[:300], {}, max_length=128)


# Comparison -------------------------------------------------------------------------------------------------------

def prepared(case, folder, tokenizer, model):
    """Number of the row → ids and mask, as TRL trains them."""
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    path = os.path.join(folder, "theirs.jsonl")
    write_rows(path, ({"number": number, **row} for number, row in enumerate(case.rows, 1)))
    config = SFTConfig(output_dir=folder, max_length=case.max_length or None, shuffle_dataset=False, use_cpu=True,
                       bf16=False, report_to=[], disable_tqdm=True, **case.config)
    trainer = SFTTrainer(model=model, args=config, processing_class=tokenizer,
                         train_dataset=Dataset.from_json(path, cache_dir=folder))
    return {row["number"]: (row["input_ids"], [int(label != -100) for label in row["labels"]])
            for row in trainer.train_dataset}


def compare(case, probe, fixtures, model):
    """What is wrong, one line a row."""
    from transformers import AutoTokenizer

    with tokenizer_folder(fixtures, case.tokenizer) as folder:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        with open(case.template, encoding="utf-8") as file:
            tokenizer.chat_template = file.read()
        path = os.path.join(folder, "ours.jsonl")
        write_rows(path, case.rows)
        limit = {"max_length": case.max_length} if case.max_length else {}
        found = ours(probe, folder, case.template,
                     {"files": [case.our_file or path], "train_on": case.train_on, **limit})
        theirs = prepared(case, folder, tokenizer, model)
        problems, num_different, num_cut = [], 0, 0
        for number, row in enumerate(case.rows, 1):
            our, their = found.get(number, {"dropped": "the row is missing"}), theirs.get(number)
            if their is None and "is trained" in our.get("dropped", ""):  # nothing to train within the length
                num_cut += 1
                continue
            expected = (our.get("ids"), our.get("trained"))
            if case.rule:
                try:
                    expected = case.rule(row, our, tokenizer)
                except AssertionError:
                    problems.append(f"row {number}: is not what our own rule says: {str(row)[:300]}")
                    continue
                num_different += expected != (our.get("ids"), our.get("trained"))
            if their is None or expected[0] is None:
                problems.append(f"row {number}: {our.get('dropped', 'TRL drops it, and we do not')}")
            elif expected[0] != their[0]:
                problems.append(f"row {number}: other ids")
            elif expected[1][1:] != their[1][1:]:
                problems.append(f"row {number}: another mask: {str(row)[:300]}")
    if num_different != case.num_different:
        problems.append(f"{num_different} rows differ by the rule, not {case.num_different}")
    limit = f", at most {case.max_length} tokens ({num_cut} rows have none to train)" if case.max_length else ""
    print(f"{case.name}: {case.tokenizer}, {os.path.basename(case.template)}, {' '.join(case.config) or 'all tokens'}{limit}: "
          f"{len(case.rows)} rows, {num_different} as stated, {len(problems)} wrong", flush=True)
    return [f"{case.name}, {case.tokenizer}, {os.path.basename(case.template)}: {problem}" for problem in problems]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--checkout", required=True)
    options = parser.parse_args()
    fixtures = fixtures_of(options.checkout)
    if fixtures is None:
        return SKIPPED
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=home, CUDA_VISIBLE_DEVICES="",
                          HF_DATASETS_DISABLE_PROGRESS_BARS="1", TRANSFORMERS_VERBOSITY="error")
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)  # TRL has views on templates whose end of the turn is another token
        try:
            import trl  # noqa: F401
            from transformers import LlamaConfig, LlamaForCausalLM
        except ImportError as missing:
            print(f"skipped: {missing}; packaging/setup fetches what is wanted")
            return SKIPPED
        model = LlamaForCausalLM(LlamaConfig(vocab_size=8, hidden_size=8, intermediate_size=8, num_hidden_layers=1,
                                             num_attention_heads=1, num_key_value_heads=1))
        problems = [line for case in cases(fixtures) for line in compare(case, options.probe, fixtures, model)]
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
