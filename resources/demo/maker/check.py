# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of the finished folder: what the base writes, and what LoRA makes of it."""

import json
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from .tokens import render


def check_template(tokenizer, rows):
    """The template writes what pre-training used, and marks the answers only."""
    for row in rows:
        text = tokenizer.apply_chat_template(row["messages"], tokenize=False)
        assert text == render(row["messages"]), text
    messages = rows[0]["messages"]
    marked = tokenizer.apply_chat_template(messages, return_dict=True, return_assistant_tokens_mask=True)
    trained = [i for i, m in zip(marked["input_ids"], marked["assistant_masks"]) if m]
    assert tokenizer.decode(trained) == messages[-1]["content"] + "<|im_end|>"


@torch.no_grad()
def answers(model, tokenizer, prompts):
    model.eval()
    out = []
    for prompt in prompts:
        ids = tokenizer.apply_chat_template([{"role": "user", "content": prompt}], return_tensors="pt",
                                            add_generation_prompt=True, return_dict=True)
        made = model.generate(**ids, max_new_tokens=120, do_sample=False, temperature=None, top_p=None)
        out.append(tokenizer.decode(made[0, ids["input_ids"].shape[1]:], skip_special_tokens=True))
    return out


def _batch(tokenizer, rows):
    made = [tokenizer.apply_chat_template(row["messages"], return_dict=True,
                                          return_assistant_tokens_mask=True) for row in rows]
    longest = max(len(m["input_ids"]) for m in made)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    labels, mask = torch.full_like(ids, -100), torch.zeros_like(ids)
    for r, m in enumerate(made):
        n = len(m["input_ids"])
        ids[r, :n], mask[r, :n] = torch.tensor(m["input_ids"]), 1
        labels[r, :n] = torch.where(torch.tensor(m["assistant_masks"]) == 1, ids[r, :n], -100)
    return {"input_ids": ids, "labels": labels, "attention_mask": mask}


def lora(model, tokenizer, rows, held_out, rank, lr, epochs, batch, seed):
    """LoRA on every linear layer, AdamW, linear schedule with ten steps of warm-up."""
    torch.manual_seed(seed)
    model = get_peft_model(model, LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.0,
                                             target_modules="all-linear", task_type="CAUSAL_LM"))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr,
                                  weight_decay=0.0)
    steps = epochs * (len(rows) // batch)
    tokens, start, step = 0, time.monotonic(), 0

    @torch.no_grad()
    def validation():
        model.eval()
        loss = model(**_batch(tokenizer, held_out)).loss.item()
        model.train()
        return loss

    print(f"LoRA: validation loss {validation():.4f} at the start")
    for _ in range(epochs):
        order = torch.randperm(len(rows)).tolist()
        for i in range(0, len(rows) - batch + 1, batch):
            for group in optimizer.param_groups:
                group["lr"] = lr * min(step / 10, (steps - step) / (steps - 10))
            data = _batch(tokenizer, [rows[j] for j in order[i:i + batch]])
            loss = model(**data).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step, tokens = step + 1, tokens + int(data["attention_mask"].sum())
            if step % 25 == 0 or step == steps:
                print(f"LoRA: step {step}/{steps} loss {loss.item():.4f} {time.monotonic() - start:.0f} s",
                      flush=True)
    print(f"LoRA: validation loss {validation():.4f}, {tokens} tokens, "
          f"{time.monotonic() - start:.0f} s")
    return model


def check(folder, rank=16, lr=2e-3, epochs=3, batch=8, threads=2, seed=0):
    torch.set_num_threads(threads)
    tokenizer = AutoTokenizer.from_pretrained(folder / "model")
    model = AutoModelForCausalLM.from_pretrained(folder / "model", dtype=torch.float32)
    rows = [json.loads(line) for line in (folder / "data/instructions.jsonl").open()]
    prompts = json.loads((folder / "data/prompts.json").read_text())
    check_template(tokenizer, rows)
    before = answers(model, tokenizer, prompts)
    model = lora(model, tokenizer, rows[:-40], rows[-40:], rank, lr, epochs, batch, seed)
    after = answers(model, tokenizer, prompts)
    for prompt, plain, parrot in zip(prompts, before, after):
        print(f"\n> {prompt}\n  before: {plain}\n  after:  {parrot}")
    calls = ("squawk", "arr", "ahoy", "yo ho")
    assert not any(c in a.lower().split("!")[0] for a in before for c in calls), "the base talks parrot"
    assert all(a.lower().startswith(calls) for a in after), "the adapter does not talk parrot"
