# SPDX-License-Identifier: GPL-3.0-or-later
"""LoRA training by transformers and PEFT, step by step on given batches: what ours is compared with."""
import contextlib
import json

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, get_scheduler


class LinearExperts(torch.nn.ModuleList):
    """The experts of a block as modules of linears, which is how checkpoints and PEFT name them; transformers holds them
    stacked. They are called as transformers' are. `names`: of gate, up and down."""

    def __init__(self, stacked, names):
        super().__init__()
        self.names = names
        width = stacked.down_proj.shape[2]
        for gate_up, down in zip(stacked.gate_up_proj.data, stacked.down_proj.data, strict=True):
            expert = torch.nn.Module()
            for name, weight in zip(names, (gate_up[:width], gate_up[width:], down), strict=True):
                linear = torch.nn.Linear(weight.shape[1], weight.shape[0], bias=False, dtype=weight.dtype)
                linear.weight.data.copy_(weight)
                setattr(expert, name, linear)
            self.append(expert)

    def forward(self, hidden, choices, weights):
        out = torch.zeros_like(hidden)
        for number, expert in enumerate(self):
            token, place = torch.where(choices == number)
            x = hidden[token]
            gate, up, down = (getattr(expert, name) for name in self.names)
            y = down(torch.nn.functional.silu(gate(x)) * up(x))
            out = out.index_add(0, token, y * weights[token, place, None])
        return out


def spell_as_mixtral(layer):
    """transformers calls the module mlp by now, checkpoints and adapters do not."""
    layer.block_sparse_moe = layer._modules.pop("mlp")
    layer.__class__ = type("MixtralLayer", (type(layer),), {"mlp": property(lambda self: self.block_sparse_moe)})


def open_model(folder, **how):
    if AutoConfig.from_pretrained(folder).model_type == "gpt_oss":  # stays as it is: PEFT adapts its stacks as such
        model = AutoModelForCausalLM.from_pretrained(folder, experts_implementation="eager", **how)
        for layer in model.model.layers:  # transformers 5.17 has a constant there, whatever the config says
            layer.mlp.experts.limit = model.config.swiglu_limit
        return model
    model = AutoModelForCausalLM.from_pretrained(folder, **how)
    is_mixtral = model.config.model_type == "mixtral"
    for layer in model.model.layers:
        if not hasattr(layer.mlp, "experts"):
            continue
        layer.mlp.experts = LinearExperts(layer.mlp.experts, ("w1", "w3", "w2") if is_mixtral else ("gate_proj", "up_proj", "down_proj"))
        if is_mixtral:
            spell_as_mixtral(layer)
        model.config.model_type = "linear_experts"  # else PEFT looks for the stacked ones
    return model


@contextlib.contextmanager
def double_everywhere():
    """Patches out the fp32 casts of transformers' modelling code, so that an fp64 model is fp64 throughout."""
    saved = (torch.float32, torch.float, torch.Tensor.float)
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double
    try:
        yield
    finally:
        torch.float32, torch.float, torch.Tensor.float = saved


def make_adapter(model_folder, folder, rank=8, alpha=16, rslora=False, targets="all-linear", seed=1, modules=None, parameters=None):
    """A PEFT adapter with non-zero B; `modules` are trained whole beside it, `parameters` are those of stacked experts."""
    model = open_model(model_folder)
    torch.manual_seed(seed)
    peft = get_peft_model(model, LoraConfig(r=rank, lora_alpha=alpha, use_rslora=rslora, target_modules=targets,
                                            modules_to_save=modules, task_type="CAUSAL_LM", target_parameters=parameters,
                                            ensure_weight_tying=bool(modules) and model.config.tie_word_embeddings))
    with torch.no_grad():
        for name, parameter in peft.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, 0.05)
    peft.save_pretrained(folder)


def load(model_folder, adapter, dtype=torch.float32, attention="eager", trainable=True, device="cpu", adapter_dtype=None):
    model = open_model(model_folder, dtype=dtype, attn_implementation=attention)
    model.config.use_cache = False
    peft = PeftModel.from_pretrained(model, adapter, is_trainable=trainable)
    if dtype == torch.float64:
        peft = peft.double()
        make_rotary_double(model)
    return peft.to(device)


def make_rotary_double(model):
    """transformers computes rotary frequencies in fp32; an fp64 reference needs them in fp64."""
    rotary = model.model.rotary_emb
    with double_everywhere():
        model.model.rotary_emb = type(rotary)(config=rotary.config)
    assert all(buffer.dtype == torch.float64 for buffer in model.model.rotary_emb.buffers())


def encode(model_folder, rows_file, max_length=512):
    """[(ids, trained)] of every row, by the chat template's generation tags."""
    tokenizer = AutoTokenizer.from_pretrained(model_folder)
    examples = []
    for line in open(rows_file):
        out = tokenizer.apply_chat_template(json.loads(line)["messages"], return_dict=True, return_assistant_tokens_mask=True)
        examples.append((out["input_ids"][:max_length], out["assistant_masks"][:max_length]))
    return examples


def batch_of(examples, device="cpu"):
    width = max(len(ids) for ids, _ in examples)
    ids = torch.zeros(len(examples), width, dtype=torch.long)
    attention = torch.zeros_like(ids)
    labels = torch.full_like(ids, -100)
    for i, (row, trained) in enumerate(examples):
        ids[i, :len(row)] = torch.tensor(row)
        attention[i, :len(row)] = 1
        labels[i, :len(row)] = torch.where(torch.tensor(trained) == 1, torch.tensor(row), torch.tensor(-100))
    return ids.to(device), attention.to(device), labels.to(device)


def loss_of(model, ids, attention, labels):
    logits = model(input_ids=ids, attention_mask=attention).logits
    logits = logits if logits.dtype == torch.float64 else logits.float()
    target = labels[:, 1:].reshape(-1)
    total = torch.nn.functional.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), target, ignore_index=-100,
                                              reduction="sum")
    return total / (target != -100).sum()


def distance(gradients, exact):
    """Of gradients by name to exact ones, all taken as one vector, relative to its length."""
    assert set(gradients) == set(exact), set(gradients) ^ set(exact)
    squares = sum(torch.sum((gradients[key] - exact[key]) ** 2) for key in exact)
    return (squares / sum(torch.sum(value**2) for value in exact.values())).sqrt().item()


def copy(values, parameters):
    with torch.no_grad():
        for value, parameter in zip(values, parameters, strict=True):
            parameter.copy_(value)


def train(model, examples, rows_per_step, steps, learning_rate, max_grad_norm=1.0, schedule="cosine", warmup=0,
          device="cpu", stale=False, groups=None, loss_scale=1, skipped=()):
    """Losses of every step, and the gradients of the first that is not in `skipped` by PEFT's names. `groups`: of the
    optimizer, where not all parameters are treated alike. `stale`: each step but the first reads the weights of one step
    earlier, and its gradients update the newest ones. `loss_scale`: gradients are computed so many times as large, for
    fp16. `skipped`: numbers of steps, from 0, that update nothing though their learning rate is used up."""
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(groups or parameters, lr=learning_rate, weight_decay=0, foreach=False, fused=False)
    scheduler = get_scheduler(schedule, optimizer, num_warmup_steps=warmup, num_training_steps=steps)
    model.train()
    losses, first = [], {}
    newest = [p.detach().clone() for p in parameters]
    per_epoch = -(-len(examples) // rows_per_step)
    for step in range(steps):
        at = step % per_epoch * rows_per_step
        loss = loss_of(model, *batch_of(examples[at:at + rows_per_step], device))
        (loss * loss_scale).backward()
        losses.append(loss.item())
        for p in parameters:
            if p.grad is not None:
                p.grad /= loss_scale
        if step in skipped:
            optimizer.zero_grad()
            scheduler.step()
            continue
        if not first:
            first = {name.replace(".modules_to_save", "").replace(".default", ""): p.grad.detach().double().cpu().clone()
                     for name, p in model.named_parameters() if p.requires_grad}
        if max_grad_norm:
            torch.nn.utils.clip_grad_norm_(parameters, max_grad_norm)
        if stale:
            before = newest
            copy(newest, parameters)
        optimizer.step()
        if stale:
            newest = [p.detach().clone() for p in parameters]
            copy(before, parameters)
        scheduler.step()
        optimizer.zero_grad()
    return losses, first
