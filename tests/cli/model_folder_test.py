# SPDX-License-Identifier: GPL-3.0-or-later
"""A model folder that is not as it should be: roundpipe names what is wrong.

usage: model_folder_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import unittest

import torch
from safetensors.torch import load_file

from command_line import INVALID_INPUT, IO, UNSUPPORTED, CommandLine, call


class ModelFolder(CommandLine):
    def test_missing_shard_is_named(self):
        os.rename(self.model / "model.safetensors", self.model / "model-00001-of-00002.safetensors")
        names = list(load_file(self.model / "model-00001-of-00002.safetensors"))
        shards = {name: f"model-0000{1 + i % 2}-of-00002.safetensors" for i, name in enumerate(names)}
        (self.model / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}))
        self.refused_by_both(IO, "model-00002-of-00002.safetensors")

    def test_truncated_shard_is_named(self):
        path = self.model / "model.safetensors"
        os.truncate(path, path.stat().st_size - 1000)
        self.refused_by_both(IO, "model.safetensors", "truncated")

    def refused_by_both(self, code, *words):
        dry, run = self.train("--dry-run"), self.train()
        self.refused(run, code, *words)
        self.assertEqual((dry.returncode, dry.stderr, dry.stdout), (code, run.stderr, ""))

    def test_what_a_run_will_refuse_is_said_before_it(self):
        def planned():
            return call("plan", "--model", self.model, "--rig", "1x4090", "--estimated")

        for done in (self.train("--dry-run"), planned()):
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("refuse", done.stderr)
        name = "model.layers.1.mlp.up_proj.weight"
        for change in (lambda tensors: tensors.pop(name), lambda tensors: tensors.update({"model.layers.9.extra.weight": torch.zeros(3)})):
            self.rewrite_weights(change)
            self.assertRegex(planned().stderr, r"warning: A run will refuse this model[.] .*model[.]layers[.]")
            self.refused_by_both(INVALID_INPUT, "model.layers.")

    def test_wrong_shape_names_the_tensor(self):
        name = "model.layers.1.mlp.up_proj.weight"
        self.rewrite_weights(lambda tensors: tensors.update({name: torch.zeros(3, 64)}))
        self.refused(self.train(), INVALID_INPUT, name)

    def test_wrong_dtype_names_the_tensor(self):
        name = "model.layers.1.mlp.up_proj.weight"
        self.rewrite_weights(lambda tensors: tensors.update({name: tensors[name].to(torch.int32)}))
        self.refused(self.train(), INVALID_INPUT, name)

    def test_index_that_points_outside_is_refused(self):
        os.rename(self.model / "model.safetensors", self.work / "model.safetensors")
        names = list(load_file(self.work / "model.safetensors"))
        (self.model / "model.safetensors.index.json").write_text(
            json.dumps({"weight_map": {name: "../model.safetensors" for name in names}}))
        planned = call("plan", "--model", self.model, "--rig", "1x4090", "--estimated")
        self.assertIn("warning: A run will refuse this model.", planned.stderr)
        self.assertIn("'../model.safetensors', outside the model folder", planned.stderr)
        self.refused_by_both(INVALID_INPUT, "../model.safetensors")
        (self.model / "model.safetensors.index.json").unlink()
        self.refused_by_both(IO, "has neither model.safetensors nor")
        self.assertEqual(self.train("--dry-run", "--random-weights").returncode, 0)

    def test_unsupported_architecture_is_named(self):
        self.edit("config.json", lambda config: config.update(architectures=["MambaForCausalLM"], model_type="mamba"))
        self.refused(self.train(), UNSUPPORTED, "MambaForCausalLM")

    def test_quantised_model_is_refused_with_advice(self):
        self.edit("config.json", lambda config: config.update(quantization_config={"quant_method": "bitsandbytes"}))
        self.refused(self.train(), UNSUPPORTED, "quanti")

    def test_stacked_experts_are_not_trained_whole(self):
        self.edit("config.json", lambda config: config.update(
            architectures=["GptOssForCausalLM"], model_type="gpt_oss", num_local_experts=4, num_experts_per_tok=2))
        self.refused(self.train("--method", "full"), UNSUPPORTED, "gpt-oss", "stacked", "method lora")
        self.refused(self.train("--targets", "down_proj", "--dropout", "0.1"), INVALID_INPUT, "down_proj", "dropout", "PEFT")
        self.refused(self.train("--targets", "experts"), INVALID_INPUT, "experts", "gate_up_proj", "down_proj")
        self.refused(self.train(), INVALID_INPUT, "no place")  # the weights are another model's
        shown = call("inspect", self.model / "config.json", "--json")
        self.assertEqual(json.loads(shown.stdout)["experts"], 4, shown.stderr)

    def test_missing_tokenizer_is_named(self):
        (self.model / "tokenizer.json").unlink()
        self.refused(self.train(), INVALID_INPUT, "tokenizer.json")

    def test_tokenizer_model_alone_is_refused_with_advice(self):
        os.rename(self.model / "tokenizer.json", self.model / "tokenizer.model")
        self.refused(self.train(), UNSUPPORTED, "tokenizer.model", "save_pretrained")

    def test_missing_chat_template_is_refused_with_advice(self):
        for name in ("chat_template.jinja",):
            (self.model / name).unlink(missing_ok=True)
        self.edit("tokenizer_config.json", lambda config: config.pop("chat_template", None))
        self.refused(self.train(), UNSUPPORTED, "--chat-template")


if __name__ == "__main__":
    unittest.main()
