# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports as a script sees them: what is written, what is said, what is refused, and that no half of anything is left."""
import json
import os
import shlex
import shutil
import subprocess
import unittest

from command_line import INVALID_INPUT, IO, ROUNDPIPE, CommandLine, call, load_file, save_file


class Exports(CommandLine):
    def setUp(self):
        super().setUp()
        self.target = self.work / "export"

    def trained(self, *more):
        done = self.train("--sample", "Hi there", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.out

    def export(self, *arguments, **options):
        return call("export", *arguments, "--device", "cpu", "--proof-tokens", 4, **options)

    def nothing_left(self):
        self.assertFalse(self.target.exists())
        self.assertEqual([path.name for path in self.work.iterdir() if "export" in path.name], [])

    def test_a_run_is_exported_and_its_proof_kept(self):
        run = self.trained()
        done = self.export(run, "--to", "gguf", "--type", "f16")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("proof passed", done.stdout)
        folder = run / "exports" / "gguf-f16"
        self.assertEqual(subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True).returncode, 0)
        record = json.loads((run / "exports.jsonl").read_text())
        self.assertEqual((record["kind"], record["type"]), ("gguf", "f16"))
        self.assertEqual(record["folder"], "exports/gguf-f16")  # though it was found by the link in the library
        self.assertTrue(record["proof"]["passed"])
        self.assertEqual(record["proof"]["prompts"], 1)  # what the run was asked
        card = (folder / "README.md").read_text()
        for words in ("rows.jsonl", "learning rate", "| 2 |", record["sha256"], "llama-server -m model.gguf"):
            self.assertIn(words, card)
        again = self.export(run, "--to", "gguf", "--type", "f16", "--no-proof")  # in the place of the first
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(len((run / "exports.jsonl").read_text().splitlines()), 2)

    # What lies in the model folder, not what it was rounded to.
    def test_a_run_on_a_packed_base_is_exported_with_the_bases_own_weights(self):
        run = self.trained("--weights", "nf4")
        done = self.export(run, "--to", "merged", "--out", self.target)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("proof passed", done.stdout)
        name = "model.layers.0.self_attn.q_proj"
        adapter = load_file(run / "adapter" / "adapter_model.safetensors")
        low, high = (adapter[f"base_model.model.{name}.lora_{half}.weight"] for half in "AB")
        scale = json.loads((run / "adapter" / "adapter_config.json").read_text())
        change = high @ low * (scale["lora_alpha"] / scale["r"])
        base, merged = (load_file(folder / "model.safetensors")[f"{name}.weight"] for folder in (self.model, self.target))
        self.assertLess(abs(base + change - merged).max(), 1e-6)

    def test_ollama_gets_a_model_and_a_recipe(self):
        done = self.export(self.trained(), "--to", "ollama", "--out", self.target, "--adapter-apart", "--type", "q8_0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({path.name for path in self.target.iterdir()},
                         {"model.gguf", "adapter.gguf", "Modelfile", "README.md", "SHA256SUMS"})
        recipe = (self.target / "Modelfile").read_text()
        for line in ("FROM ./model.gguf", "ADAPTER ./adapter.gguf", 'PARAMETER stop "<|im_end|>"', "TEMPLATE"):
            self.assertIn(line, recipe)

    def test_names_stand_in_commands_as_programs_take_them(self):
        adapter = self.trained() / "adapter"
        self.target = self.work / "an export's"
        done = self.export("--model", self.model, "--adapter", adapter, "--to", "adapter", "--out", self.target, "--name",
                           'Polly "the" parrot', "--no-proof")
        self.assertEqual(done.returncode, 0, done.stderr)
        card = (self.target / "README.md").read_text()
        command = next(line.strip() for line in card.splitlines() if "vllm serve" in line)
        self.assertEqual(shlex.split(command)[-1], "polly-the-parrot=./an export's")
        self.assertIn('# Polly "the" parrot\n', card)
        for arguments in (("--out", self.work / "b", "--name", "a\nb"), ("--out", self.work / "line\nfeed")):
            self.refused(self.export("--model", self.model, "--to", "merged", *arguments), INVALID_INPUT, "control character")
        self.assertFalse((self.work / "b").exists())

    def test_wrong_bases_are_refused_in_words(self):
        adapter = self.trained() / "adapter"
        weights = load_file(self.model / "model.safetensors")
        name = "model.layers.0.self_attn.q_proj.weight"
        weights[name].view(-1)[weights[name].numel() // 4] += 1  # in one place, and neither at the start nor in the middle
        save_file(weights, self.model / "model.safetensors", {"format": "pt"})
        arguments = ("--model", self.model, "--adapter", adapter, "--out", self.target)
        self.refused(self.export(*arguments), INVALID_INPUT, "was trained on other weights", "base_model.json")
        (adapter / "base_model.json").unlink()  # as PEFT's, which say nothing
        save_file({key: value for key, value in weights.items() if key != name}, self.model / "model.safetensors")
        self.refused(self.export(*arguments), INVALID_INPUT, f"'{name}' is missing")
        self.edit("config.json", lambda config: config.update(num_hidden_layers=1, layer_types=config["layer_types"][:1]))
        save_file({key: value for key, value in weights.items() if "layers." not in key or "layers.0." in key},
                  self.model / "model.safetensors")
        self.refused(self.export(*arguments), INVALID_INPUT, "which is not in it")
        self.nothing_left()

    def test_what_does_not_go_together_is_refused(self):
        run = self.trained()
        self.refused(self.export(run, "--to", "merged", "--type", "q8_0"), INVALID_INPUT, "--type is of GGUF files")
        self.refused(self.export(run, "--to", "gguf-adapter", "--type", "q8_0"), INVALID_INPUT, "can't be of type q8_0")
        self.refused(self.export("--model", self.model, "--to", "adapter", "--out", self.target), INVALID_INPUT, "no adapter to export")
        self.refused(self.export("--model", self.model, "--to", "merged"), INVALID_INPUT, "no place")
        self.refused(self.export(), INVALID_INPUT, "nothing to export")
        self.refused(self.export(run, "--adapter", f"{run}/adapter,weight=0"), INVALID_INPUT, "has a weight of 0")
        for weight in ("much", "1e39", "-1e300", "1e-60", "nan", "inf"):  # the middle ones are no numbers in fp32
            self.refused(self.export(run, "--adapter", f"{run}/adapter,weight={weight}"), INVALID_INPUT, f"'{weight}' is no weight")
        for kind in ("merged", "gguf", "gguf-adapter", "adapter"):
            self.refused(self.export(run, "--to", kind, "--num-ctx", 512), INVALID_INPUT, "--num-ctx is of Ollama")
            self.refused(self.export(run, "--to", kind, "--adapter-apart"), INVALID_INPUT, "--adapter-apart is of Ollama")
        shutil.rmtree(run / "checkpoints", ignore_errors=True)
        self.refused(self.export(run, "--checkpoint", "best"), INVALID_INPUT, "nothing to export as checkpoint 'best'")
        self.nothing_left()

    def test_names_with_secrets_are_refused(self):
        token = "hf_aB3dEfGh1jKlMnOpQrStUvWx"
        run = self.trained()
        for more in (["--out", self.work / token], ["--out", self.work / token / "export"], ["--out", self.target, "--name", token]):
            done = self.export(run, "--to", "adapter", *more)
            self.refused(done, INVALID_INPUT, "hf_(hidden)")
            self.assertNotIn(token, done.stdout + done.stderr)
        self.model.rename(self.work / token)
        self.refused(self.export("--model", self.work / token, "--to", "gguf", "--out", self.target), INVALID_INPUT, "hf_(hidden)")
        self.assertEqual(list(self.work.rglob(f"*{token}*")), [self.work / token])
        self.nothing_left()

    # Of a version that took one as the run's name, after which its folder is called.
    def test_a_run_in_a_folder_with_a_secret_is_exported_without_it(self):
        token = "hf_aB3dEfGh1jKlMnOpQrStUvWx"
        run = self.trained().rename(self.work / token)
        done = self.export(run, "--to", "adapter", "--no-proof")
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in (run / "exports" / "adapter").iterdir():
            self.assertNotIn(token.encode(), file.read_bytes(), file.name)
        self.assertNotIn(token, (run / "exports.jsonl").read_text())

    def test_folders_of_others_stay(self):
        run = self.trained()
        self.target.mkdir()
        (self.target / "mine").write_text("not an export's")
        self.refused(self.export(run, "--out", self.target), INVALID_INPUT, "'mine', which no export wrote")
        self.assertEqual((self.target / "mine").read_text(), "not an export's")
        if os.geteuid() != 0:  # who may write everywhere is refused nowhere
            closed = self.work / "closed"
            closed.mkdir(mode=0o500)
            self.refused(self.export(run, "--out", closed / "export"), IO, "closed")

    def test_a_write_that_fails_in_the_middle_leaves_nothing(self):
        run = self.trained()
        command = """ulimit -f 20; "$0" export "$@" """  # files may not grow, as on a full disk
        done = subprocess.run(["bash", "-c", command, ROUNDPIPE, "--model", self.model, "--adapter", run / "adapter", "--out",
                               self.target, "--no-proof"], capture_output=True, text=True)
        self.refused(done, IO, "model.safetensors", "ulimit -f")
        self.nothing_left()

    def test_an_interrupted_export_leaves_nothing_and_is_cleared_away(self):
        run = self.trained()
        draft = self.work / "export.part"
        draft.mkdir()
        (draft / "SHA256SUMS").write_text("0" * 64 + "  model.safetensors\n")  # as one leaves that was killed
        (draft / ".model.safetensors.roundpipe-0123456789abcdef.part").write_text("half")
        (draft / "model.safetensors").write_text("half")
        done = self.export(run, "--out", self.target, "--no-proof")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(draft.exists())

    def test_check_says_who_will_refuse_what(self):
        run = self.trained("--rank", 12, "--rslora", "--modules-to-save", "norm")
        said = json.loads(self.export(run, "--check", "--json").stdout)
        refused = {remark["consumer"] for remark in said if remark["refuses"]}
        self.assertEqual(refused, {"vLLM", "llama.cpp and Ollama"})
        self.assertTrue(any("--max-lora-rank 16" in remark["what"] for remark in said))
        self.assertTrue(any("rank-stabilised" in remark["what"] for remark in said))
        self.assertFalse((run / "exports").exists())
        of_kind = lambda *more: json.loads(self.export(run, "--check", "--json", "--to", *more).stdout)
        self.assertEqual({remark["consumer"] for remark in of_kind("merged")}, set())  # it is in the weights
        self.assertEqual({remark["consumer"] for remark in of_kind("adapter")}, {"vLLM", "PEFT"})
        self.assertEqual({remark["consumer"] for remark in of_kind("gguf-adapter")}, {"llama.cpp and Ollama"})

    def test_check_looks_at_all_that_was_asked(self):
        run = self.trained()
        self.assertRegex(self.export(run, "--check", "--to", "gguf", "--type", "q8_0").stdout, "It can be written, and takes ")
        self.refused(self.export(run, "--check", "--to", "gguf-adapter", "--type", "q8_0"), INVALID_INPUT, "can't be of type q8_0")
        self.refused(self.export("--model", self.model, "--check", "--to", "adapter"), INVALID_INPUT, "no adapter to export")
        self.target.mkdir()
        (self.target / "mine").write_text("not an export's")
        self.refused(self.export(run, "--check", "--out", self.target), INVALID_INPUT, "'mine', which no export wrote")
        self.rewrite_weights(lambda tensors: tensors["model.norm.weight"].add_(1))
        self.refused(self.export(run, "--check"), INVALID_INPUT, "was trained on other weights")
        self.assertFalse((run / "exports").exists())

    def test_a_full_fine_tune_is_exported(self):
        run = self.trained("--method", "full", "--learning-rate", "1e-5")
        done = self.export(run, "--to", "gguf", "--type", "bf16", "--out", self.target, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(json.loads(done.stdout)["proof"]["passed"])
        self.refused(self.export(run, "--to", "adapter", "--out", self.work / "other"), INVALID_INPUT, "no adapter")


if __name__ == "__main__":
    unittest.main()
