# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe with input that is odd but allowed, or wrong in a way of its own.

usage: odd_input_test.py ROUNDPIPE DEMO [unittest options]
"""
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROUNDPIPE, DEMO = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
MODEL, ROWS = DEMO / "model", DEMO / "data/instructions.jsonl"
INVALID_INPUT, IO_ERROR = 2, 4


class OddInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder.name + "/cache", XDG_DATA_HOME=folder.name + "/home")

    def call(self, *arguments):
        return subprocess.run([ROUNDPIPE, *arguments], capture_output=True, text=True, errors="surrogateescape", cwd=self.work,
                              env=self.environment)

    def done(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_help_is_a_command_too(self):
        for words in ([], ["plan"], ["data", "lens"]):
            self.assertEqual(self.done("help", *words).stdout, self.done(*words, "--help").stdout)
        refused = self.call("help", "plann")
        self.assertEqual(refused.returncode, INVALID_INPUT)
        self.assertIn("'plann' is no command", refused.stderr)
        self.assertIn("Did you mean 'plan'?", refused.stderr)
        self.assertIn("roundpipe help COMMAND", self.done("help").stdout)

    def test_a_mistyped_command_or_option_is_told_from_the_right_one(self):
        for line, meant in ((("trian",), "'train'"), (("runs", "lst"), "'list'"), (("hub", "serach", "qwen"), "'search'"),
                            (("train", "--save-every-steps", "3"), "'--save-every'"), (("train", "--save-every-minuts", "3"), "'--save-every-minutes'"),
                            (("plan", "--model", MODEL, "--microbatchs", "3"), "'--microbatches'")):
            refused = self.call(*line)
            self.assertEqual(refused.returncode, INVALID_INPUT)
            self.assertIn(f"Did you mean {meant}?", refused.stderr)
        refused = self.call("plan", "--model", MODEL, "--max-lenght", "5")  # its value was named first, and the advice last
        said = refused.stderr.splitlines()
        self.assertEqual(said[:2], ["error: Not expected here: --max-lenght 5", "Did you mean '--max-length'?"])
        self.assertIn("Not expected here: --quite", self.call("--quite", "plan").stderr)
        refused = self.call("--max-lenght", "5", "plan", "--model", MODEL)
        self.assertEqual(refused.returncode, INVALID_INPUT)
        self.assertIn("Did you mean '--max-length' behind 'plan'?", refused.stderr)
        self.assertIn("Did you mean '--verbose'?", self.call("--verbos", "plan", "--model", MODEL).stderr)
        self.assertIn("'--rows' behind 'data lens'?", self.call("--rws", "1..2", "data", "lens", ROWS).stderr)
        for line, unknown in ((("trian",), "trian"), (("hub", "serach", "qwen"), "serach"), (("zzzzzzzz",), "zzzzzzzz")):
            self.assertIn(f"'{unknown}' is no command", self.call(*line).stderr)
        self.assertNotIn("Did you mean", self.call("zzzzzzzz").stderr)

    def test_an_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([ROUNDPIPE, "settings"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, IO_ERROR)
        self.assertIn("No space left", done.stderr)

    def reads(self, line, nonblocking, leaves=False):
        """Its exit code, all that it prints, and its errors. The reader begins late, or leaves."""
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)  # less than is printed
        os.set_blocking(writer, not nonblocking)
        process = subprocess.Popen([ROUNDPIPE, *line], stdout=writer, stderr=subprocess.PIPE, text=True, env=self.environment,
                                   preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN), restore_signals=False)
        os.close(writer)
        time.sleep(0.5)
        if leaves:
            os.close(reader)
            return process.wait(60), "", process.communicate()[1]
        with open(reader) as output:
            text = output.read()
        return process.wait(60), text, process.communicate()[1]

    def test_a_slow_reader_is_waited_for_though_its_pipe_would_not(self):
        whole = self.done("settings").stdout
        self.assertGreater(len(whole), 16384)
        self.assertEqual(self.reads(["settings"], nonblocking=True), (0, whole, ""))

    def test_errors_wait_for_a_slow_reader_too(self):
        for line in (["inspect", "nowhere"], ["nonsense"]):
            said = self.call(*line).stderr
            self.assertIn("error: ", said)
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            full = os.write(writer, bytes(fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)))
            process = subprocess.Popen([ROUNDPIPE, *line], stdout=subprocess.DEVNULL, stderr=writer, cwd=self.work, env=self.environment)
            os.close(writer)
            time.sleep(0.5)
            with open(reader) as errors:
                self.assertEqual(errors.read()[full:], said)
            self.assertNotEqual(process.wait(60), 0)

    def test_help_that_nobody_can_read_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([ROUNDPIPE, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, IO_ERROR)

    def test_a_reader_that_leaves_is_no_error(self):
        for nonblocking in (False, True):
            self.assertEqual(self.reads(["settings"], nonblocking, leaves=True), (141, "", ""))
        done = subprocess.run(["bash", "-c", '"$0" settings | head -n 1; echo ${PIPESTATUS[0]}', ROUNDPIPE], capture_output=True,
                              text=True, env=self.environment)
        self.assertRegex(done.stdout, r"\A.*\n(0|141)\n\Z")
        self.assertEqual(done.stderr, "")

    def test_a_file_that_exists_is_replaced_only_where_that_is_asked_for(self):
        mine = self.work / "mine.json"
        mine.write_text("mine")
        plan = ("plan", "--model", MODEL, "--rig", "2x4090")
        trace = self.work / "step.rptrace"
        self.done(*plan, "--trace", trace)
        for line in ((*plan, "--svg"), (*plan, "--trace"), (*plan, "--save-rig"), ("data", "convert", ROWS, "--to"),
                     ("import", self.foreign_run(), "--to"), ("trace", "export", trace, "--to"), ("runs", "report", "a", "--to"),
                     ("runs", "compare", "a", "b", "--csv"), ("bench", "--model", MODEL, "--trace"),
                     ("profile", "--model", MODEL, "--out")):
            refused = self.call(*line, mine)
            self.assertEqual(refused.returncode, INVALID_INPUT, refused.stderr)
            self.assertIn(f"{line[-1]}: '{mine}' exists already.\nName another file, or add --force.", refused.stderr)
            self.assertEqual((mine.read_text(), refused.stdout), ("mine", ""))
            self.assertIn("--force", self.done(line[0], *line[1:2] if line[0] in ("data", "trace", "runs") else (), "--help").stdout)
        for line in ((*plan, "--svg"), (*plan, "--trace"), (*plan, "--save-rig"), ("data", "convert", ROWS, "--to"),
                     ("import", self.foreign_run(), "--to"), ("trace", "export", trace, "--to")):
            mine.write_text("mine")
            self.done(*line, mine, "--force")
            self.assertNotEqual(mine.read_text(), "mine")

    def test_what_is_no_file_is_not_replaced_by_an_output(self):
        link, pipe = self.work / "link.svg", self.work / "pipe"
        link.symlink_to(self.work / "elsewhere.svg")
        os.mkfifo(pipe)
        for option, target in (("--svg", link), ("--trace", pipe), ("--save-rig", link)):
            refused = self.call("plan", "--model", MODEL, "--rig", "2x4090", option, target)
            self.assertEqual(refused.returncode, INVALID_INPUT, refused.stderr)
            self.assertIn("was left as it is", refused.stderr)
        for line in (("data", "convert", ROWS, "--to", link), ("import", self.foreign_run(), "--to", pipe, "--force")):
            refused = self.call(*line)
            self.assertEqual(refused.returncode, INVALID_INPUT, refused.stderr)
            self.assertIn("was left as it is", refused.stderr)
        self.assertTrue(link.is_symlink() and pipe.is_fifo())
        self.assertFalse((self.work / "elsewhere.svg").exists())

    def test_an_output_without_a_name_is_refused(self):
        for option in "--svg", "--trace", "--save-rig":
            refused = self.call("plan", "--model", MODEL, "--rig", "2x4090", option, "")
            self.assertEqual(refused.returncode, INVALID_INPUT)
            self.assertIn(f"{option}: names no file", refused.stderr)

    def test_devices_of_this_machine_are_none_of_another_rig(self):
        refused = self.call("plan", "--model", MODEL, "--rig", "2x4090", "--devices", "cpu")
        self.assertEqual(refused.returncode, INVALID_INPUT)
        self.assertIn("Leave one of them out", refused.stderr)

    def foreign_run(self):
        file = self.work / "foreign.yaml"
        file.write_text(f"base_model: {MODEL}\ndatasets:\n  - path: {ROWS}\n    type: alpaca\nadapter: lora\n")
        return file

    def test_an_option_takes_one_value_and_lists_repeat_it(self):
        run = self.work / "run.json"
        run.write_text(json.dumps({"model": {"path": str(MODEL)}, "data": {"datasets": [{"files": [str(ROWS)]}]},
                                   "engine": {"devices": ["cpu"]}, "output": {"folder": "out"}}))
        for option in (("--max-steps", "2"), ("--targets", "q_proj"), ("--sample", "Hi"), ("--devices", "cpu")):
            self.assertIn("plan ", self.done("train", *option, run, "--dry-run").stdout)
        few = self.done("train", run, "--targets", "q_proj", "--dry-run").stdout
        for both in (("--targets", "q_proj", "--targets", "v_proj"), ("--targets", "q_proj,v_proj")):
            self.assertNotIn(re.search("trainable.*", few)[0], self.done("train", run, *both, "--dry-run").stdout)
        for twice in (("--max-steps", "2", "--max-steps", "3"), ("--rank", "8", "--quiet", "--rank", "8"), ("--out", "a", "--out=b")):
            refused = self.call("train", run, *twice, "--dry-run")  # the last one counted
            self.assertEqual(refused.returncode, INVALID_INPUT)
            self.assertIn(f"{twice[0]} is given more than once, and takes one value", refused.stderr)
        refused = self.call("plan", "--model", MODEL, "--rig", "4090", "--rig", "3090")
        self.assertIn("--rig is given more than once", refused.stderr)
        spaced = self.call("train", run, "--out", "My", "Runs", "--max-steps", "1")  # a name with a blank, without quotes
        self.assertEqual(spaced.returncode, INVALID_INPUT)
        self.assertIn("Runs", spaced.stderr)
        self.assertEqual({path.name for path in self.work.iterdir()} - {"cache"}, {"run.json"})

    def test_a_warning_about_rows_names_one_and_quiet_says_nothing(self):
        rows = self.work / "rows.jsonl"
        rows.write_text("\n" + ROWS.read_text() + "{broken\n")
        broken = len(rows.read_text().splitlines())
        run = ("train", "--model", MODEL, "--data", rows, "--devices", "cpu", "--max-steps", "1")
        told = self.done(*run, "--out", "told").stderr
        self.assertIn("dropped: 1 bad row", told)
        self.assertIn(f"line {broken}: is not valid JSON", told)
        quiet = self.done(*run, "--out", "quiet", "--quiet")
        self.assertEqual((quiet.stdout, quiet.stderr), ("", ""))
        self.assertIn(f"line {broken}", (self.work / "quiet/run.log").read_text())

    def model_with(self, name, change):
        model = self.work / name
        shutil.copytree(MODEL, model)
        config = json.loads((model / "config.json").read_text())
        tensors = bytearray((model / "model.safetensors").read_bytes())
        size = int.from_bytes(tensors[:8], "little")
        header, data = json.loads(tensors[8:8 + size]), tensors[8 + size:]
        change(config, header, data)
        (model / "config.json").write_text(json.dumps(config))
        head = json.dumps(header).encode()
        head += b" " * (-len(head) % 8)
        (model / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + data)
        return model

    def test_tensors_that_a_config_has_no_place_for_are_named(self):
        def extra(name):
            def change(config, header, data):
                header[name] = {"dtype": "F32", "shape": [1], "data_offsets": [len(data), len(data) + 4]}
                data.extend(bytes(4))
            return change

        def layers(more):
            def change(config, header, data):
                config["num_hidden_layers"] += more
            return change
        for name, change, words in (("fewer", layers(-1), "that config.json has no place for"), ("more", layers(1), "is missing"),
                                    ("extra", extra("model.layers.0.self_attn.gate.weight"), "'model.layers.0.self_attn.gate.weight'"),
                                    ("other", extra("score.weight"), "'score.weight'")):
            model = self.model_with(name, change)
            for line in (("train", "--data", ROWS, "--out", "run", "--devices", "cpu", "--max-steps", "1"),
                         ("generate", "--prompt", "Hi", "--device", "cpu")):
                refused = self.call(*line, "--model", model)
                self.assertEqual(refused.returncode, INVALID_INPUT, refused.stdout + refused.stderr)
                self.assertIn(words, refused.stderr)
        harmless = self.model_with("harmless", extra("model.layers.0.self_attn.rotary_emb.inv_freq"))
        self.done("generate", "--prompt", "Hi", "--device", "cpu", "--max-new-tokens", "1", "--model", harmless)

    def test_architectures_are_listed_as_train_takes_them(self):
        def of(architecture):
            def change(config, header, data):
                config.update(architectures=[architecture], model_type=architecture.lower())
            return change
        refused = self.call("train", "--model", self.model_with("other", of("OddForCausalLM")), "--data", ROWS, "--dry-run")
        listed = re.search("Those that run are (.*?)[.]", refused.stderr)
        self.assertTrue(listed, refused.stderr)
        configs = {"Qwen3MoeForCausalLM": "qwen3_moe", "MixtralForCausalLM": "mixtral", "Qwen2MoeForCausalLM": "qwen2_moe", "GptOssForCausalLM": "gpt_oss", "LlamaForCausalLM": "llama"}
        for name, kind in configs.items():
            def change(config, header, data):
                config.update(architectures=[name], model_type=kind, num_experts=4, num_local_experts=4, num_experts_per_tok=2,
                              moe_intermediate_size=64, shared_expert_intermediate_size=64, norm_topk_prob=True)
            done = self.call("train", "--model", self.model_with(name, change), "--data", ROWS, "--dry-run")
            self.assertIn(name, listed[1].split(", "))
            self.assertNotIn("is not supported", done.stderr)

    def test_an_adapter_answers_by_the_template_beside_it(self):
        template = self.work / "own.jinja"
        template.write_text("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
                            "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")
        self.done("train", "--model", MODEL, "--data", ROWS, "--out", "run", "--devices", "cpu", "--max-steps", "1",
                  "--chat-template", template)
        answer = ("generate", "--model", MODEL, "--adapter", "run/adapter", "--prompt", "Hi", "--device", "cpu", "--max-new-tokens", "1")
        self.done(*answer)
        own = self.work / "run/adapter/chat_template.jinja"
        own.write_text("{{ raise_exception('by the adapter') }}")
        self.assertIn("by the adapter", self.call(*answer).stderr)
        self.done(*answer, "--chat-template", template)
        own.unlink()
        config = self.work / "run/adapter/tokenizer_config.json"  # where older versions of transformers put it
        config.write_text(json.dumps(dict(json.loads(config.read_text()), chat_template="{{ raise_exception('by its config') }}")))
        self.assertIn("by its config", self.call(*answer).stderr)

    def test_a_number_that_is_none_is_named_as_it_was_given(self):
        refused = self.call("train", "--model", MODEL, "--data", ROWS, "--out", self.work / "run", "--learning-rate", "nan")
        self.assertEqual(refused.returncode, INVALID_INPUT)
        self.assertIn("--learning-rate is 'nan', but should be a number", refused.stderr)

    # A name on Linux is bytes; these are Latin-1.
    def test_a_path_that_is_no_utf8_is_trained_from_and_resumed(self):
        folder = os.fsdecode(b"Caf\xe9")
        os.mkdir(self.work / folder)
        shutil.copy(ROWS, self.work / folder / "rows.jsonl")
        run = ["train", "--model", MODEL, "--data", f"{folder}/rows.jsonl", "--out", f"{folder}/run", "--devices", "cpu"]
        self.done(*run, "--max-steps", "1")
        with open(self.work / folder / "run/run.json", encoding="utf-8") as file:
            spec = json.load(file)
        self.assertIn("Caf\U0010ffe9/rows.jsonl", spec["data"]["datasets"][0]["files"][0])
        self.done("train", f"{folder}/run/run.json", "--resume", "--max-steps", "2", "--sample", os.fsdecode(b"Caf\xe9?"))
        self.assertEqual(len((self.work / folder / "run/metrics.jsonl").read_text().splitlines()), 2)
        self.done("runs", "list", "--json")
        self.done("data", "inspect", f"{folder}/rows.jsonl", "--json")
        self.done("data", "stats", "--model", MODEL, f"{folder}/rows.jsonl", "--json")
        self.done("plan", "--model", MODEL, "--rig", "2xcpu,ram=16", "--json")

    def test_a_path_that_is_no_utf8_and_not_there_is_named(self):
        result = self.call("train", "--model", MODEL, "--data", os.fsdecode(b"Caf\xe9.jsonl"), "--out", "run", "--devices", "cpu")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn(os.fsdecode(b"Caf\xe9.jsonl"), result.stderr)
        self.assertNotIn("json.exception", result.stderr)

    def test_a_file_may_stand_between_options(self):
        for options in (["--model", MODEL, ROWS, "--row", "2"], [ROWS, "--model", MODEL, "--row", "2"],
                        ["--row", "2", "--max-length", "64", ROWS, "--model", MODEL]):
            self.assertIn("line 2", self.done("data", "lens", *options).stdout)

    def test_a_row_that_is_no_row_is_refused_in_few_words(self):
        result = self.call("data", "lens", ROWS, "--model", MODEL, "--row", "0")
        self.assertEqual(result.returncode, INVALID_INPUT)
        self.assertLess(len(result.stdout + result.stderr), 200)

    def test_one_fused_stage_can_be_given(self):
        plan = ["plan", "--model", MODEL, "--rig", "1xcpu,ram=16", "--json"]
        given = json.loads(self.done(*plan, "--backward-stages", "12").stdout)
        self.assertEqual([(stage["kind"], stage["first_layer"], stage["end_layer"]) for stage in given["stages"]],
                         [("fused", 0, 12)])
        self.done("train", "--model", MODEL, "--data", ROWS, "--out", "run", "--devices", "cpu", "--max-steps", "1",
                  "--backward-stages", "12")
        self.assertEqual(self.call(*plan, "--forward-stages", "6").returncode, INVALID_INPUT)

    def test_a_folder_without_a_timeline_says_why(self):
        for name, words in (("none", "--no-save-trace"), ("old", "Perfetto")):
            (self.work / name).mkdir()
            if name == "old":
                (self.work / name / "trace.json").write_text("{}")
            result = self.call("trace", "info", name)
            self.assertEqual(result.returncode, INVALID_INPUT)
            self.assertIn("has no trace.rptrace", result.stderr)
            self.assertIn(words, result.stderr)


unittest.main()
