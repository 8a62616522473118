# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe chat: conversations through a pipe and in a terminal.

usage: chat_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

from command_line import INVALID_INPUT, IO, OUT_OF_MEMORY, ROUNDPIPE, UNSUPPORTED, CommandLine, call

FEW = ("--device", "cpu", "--max-new-tokens", 12)


class Chat(CommandLine):
    def setUp(self):
        super().setUp()
        self.adapter = self.work / "run/adapter"

    def make_adapter(self):
        done = self.train("--learning-rate", "0.05", "--warmup-ratio", "0")
        self.assertEqual(done.returncode, 0, done.stderr)

    def talk(self, *lines, options=(), adapter=False, input=None):
        adapters = ("--adapter", f"polly={self.adapter}") if adapter else ()
        text = "\n".join(lines) + "\n" if input is None else input
        return subprocess.run([str(part) for part in (ROUNDPIPE, "chat", "--model", self.model, *adapters, *FEW, *options)],
                              input=text.encode() if isinstance(text, str) else text, capture_output=True)

    def said(self, *lines, **options):
        done = self.talk(*lines, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def generated(self, *more):
        done = call("generate", "--model", self.model, *FEW, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_pipe_gets_answers_and_nothing_else(self):
        answer = self.generated("--prompt", "Turn round: ash bay.")
        self.assertEqual(self.said("Turn round: ash bay."), answer)
        self.assertEqual(self.said("Turn round: ash bay.", "/reset", "Turn round: ash bay."), answer + "Forgotten.\n" + answer)
        self.assertEqual(self.said("", input="Turn round: ash bay."), answer, "the last line needs no line feed")
        self.assertEqual(self.said("", "  ", "/quit", "never asked"), "")

    def test_a_conversation_that_grows_is_not_read_again(self):
        self.said("Turn round: ash bay.", "Again?", f"/save {self.work}/said.json")
        said = json.loads((self.work / "said.json").read_text())
        self.assertEqual([message["role"] for message in said["messages"]], ["user", "assistant"] * 2)
        shown = self.said("Turn round: ash bay.", "Again?", "/tokens")
        [(total, kept)] = [tuple(map(int, re.findall(r"\d+", line))) for line in shown.splitlines() if line.startswith("Prompt, ")]
        self.assertGreater(kept, 15)
        self.assertLess(kept, total)
        # What the model was given is what its template makes of the whole conversation.
        rendered = "".join(f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in said["messages"][:3])
        again = json.loads(self.generated("--raw", "--json", "--prompt", rendered + "<|im_start|>assistant\n"))
        self.assertEqual(len(again["prompt_tokens"]), total)
        self.assertEqual(again["answer"], said["messages"][3]["content"])

    def test_adapters_are_chosen_weighed_and_compared_in_one_load(self):
        self.make_adapter()
        base = self.generated("--prompt", "den?")
        tuned = self.generated("--prompt", "den?", "--adapter", self.adapter)
        self.assertNotEqual(base, tuned)
        shown = self.said("den?", "/reset", "/strength 0", "den?", "/reset", "/strength 1", "/adapter none", "den?", "/reset",
                          "/adapter polly=1", "den?", adapter=True)
        answers = [line + "\n" for line in shown.splitlines() if not line.startswith(("Forgotten", "Answering", "The base"))]
        self.assertEqual("".join(answers), tuned + base + base + tuned)
        compared = self.said("/compare", "den?", adapter=True)
        self.assertEqual(compared, "Base and tuned answer from now on.\nbase:\n" + base + "tuned:\n" + tuned)
        half = self.said("/strength 0.5", "den?", "/tokens", adapter=True)
        self.assertIn("Answering: polly=1, at strength 0.5.", half)
        self.assertIn("probability", half)

    def test_an_adapter_of_other_weights_is_refused(self):
        self.make_adapter()
        self.rewrite_weights(lambda tensors: tensors["model.norm.weight"].add_(1))
        for command in (("generate", "--prompt", "den?"), ("chat",), ("serve", "--port", 0)):
            done = call(*command, "--model", self.model, "--adapter", self.adapter, "--device", "cpu", input="den?\n", timeout=60)
            self.refused(done, INVALID_INPUT, "was trained on other weights", "base_model.json")
            self.assertEqual(done.stdout, "")
        (self.adapter / "base_model.json").unlink()  # as PEFT's, which say nothing
        self.generated("--prompt", "den?", "--adapter", self.adapter)

    def test_what_is_said_of_an_answer_stands_below_it(self):
        done = subprocess.run([str(part) for part in (ROUNDPIPE, "generate", "--model", self.model, "--device", "cpu", "--prompt", "den?",
                                                      "--max-new-tokens", 1)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertTrue(done.stdout.endswith("\n(cut off after 1 token; raise --max-new-tokens for more)\n"), done.stdout)

    def test_folders_that_are_not_there_are_said(self):
        for command in (("generate", "--prompt", "den?"), ("chat",), ("serve", "--port", 0)):
            self.refused(call(*command, "--model", self.work / "nowhere", input=""), IO, "There is no model folder", "nowhere")
            done = call(*command, "--model", self.model, "--adapter", self.work / "nowhere", "--device", "cpu", input="")
            self.refused(done, IO, "nowhere")

    def test_a_model_that_computes_no_numbers_gives_no_answer(self):
        self.rewrite_weights(lambda tensors: tensors["model.norm.weight"].fill_(float("nan")))
        for more in ((), ("--temperature", 1), ("--json",)):
            done = call("generate", "--model", self.model, *FEW, "--prompt", "den?", *more)
            self.refused(done, UNSUPPORTED, "computes no numbers", "--precision")
        done = self.talk("den?")
        self.assertEqual((done.returncode, b"computes no numbers" in done.stderr), (UNSUPPORTED, True), done.stderr)

    def test_what_goes_wrong_speaks_of_answers_not_of_training(self):
        self.make_adapter()
        config = json.loads((self.adapter / "adapter_config.json").read_text())
        (self.adapter / "adapter_config.json").write_text(json.dumps(config | {"use_dora": True}))
        plain, odd = ("--model", self.model, "--device", "cpu"), self.work / "odd"
        shutil.copytree(self.model, odd)
        config = json.loads((odd / "config.json").read_text())
        (odd / "config.json").write_text(json.dumps(config | {"architectures": ["OddForCausalLM"], "model_type": "odd"}))
        for command in (("generate", "--prompt", "den?"), ("chat",), ("serve", "--port", 0)):
            for more, code, words in ((plain + ("--adapter", self.adapter), UNSUPPORTED, "DoRA"),
                                      (("--model", odd, "--device", "cpu"), UNSUPPORTED, "OddForCausalLM"),
                                      (("--model", self.model, "--device", "cpu@0.0001GiB"), OUT_OF_MEMORY, "less room for the conversation")):
                done = call(*command, *more, input="den?\n", timeout=60)
                self.refused(done, code, words)
                self.assertNotRegex(done.stderr, r"(?i)\btrain|microbatch|stages")

    def test_a_good_answer_becomes_a_row(self):
        rows = self.work / "rows.jsonl"
        self.said("/system Be brief.", "den?", f"/row! {rows}", "cod?", f"/row! {rows}")
        [first, second] = [json.loads(line)["messages"] for line in rows.read_text().splitlines()]
        self.assertEqual([message["role"] for message in first], ["system", "user", "assistant"])
        self.assertEqual([message["content"] for message in second][:2], ["Be brief.", "cod?"])
        self.assertEqual(first[2]["content"] + "\n", self.generated("--system", "Be brief.", "--prompt", "den?"))
        inspected = call("data", "inspect", rows, "--json")
        self.assertEqual(inspected.returncode, 0, inspected.stderr)
        self.assertIn("messages", inspected.stdout)
        other = self.work / "other.jsonl"
        other.write_text('{"text": "a"}\n')
        done = self.talk("den?", f"/row! {other}")
        self.assertEqual(done.returncode, INVALID_INPUT)
        self.assertIn(b"other.jsonl", done.stderr)
        self.assertEqual(other.read_text(), '{"text": "a"}\n')

    def test_answers_without_an_end_and_empty_ones_are_no_rows(self):
        self.make_long()
        rows, drawn = self.work / "rows.jsonl", ("--temperature", 1, "--seed", 5)
        answer = self.generated("--prompt", "den?", *drawn).removesuffix("\n")
        self.refused_line(("den?", f"/row {rows}"), b"was cut off", b"/row!", options=drawn)
        for row in ("/row", "/row!"):
            self.refused_line(("den?", f"{row} {rows}"), b"answer is empty", options=(*drawn, f"--stop={answer[:3]}"))
        self.assertFalse(rows.exists())
        stop = answer[len(answer) // 2:len(answer) // 2 + 4]
        self.said("den?", f"/row {rows}", options=(*drawn, f"--stop={stop}"))
        self.said("den?", f"/row! {rows}", options=drawn)
        contents = [json.loads(line)["messages"][1]["content"] for line in rows.read_text().splitlines()]
        self.assertEqual(contents, [answer[:answer.index(stop)], answer])

    def refused_line(self, lines, *words, **options):
        done = self.talk(*lines, **options)
        self.assertEqual(done.returncode, INVALID_INPUT, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_saving_replaces_conversations_alone(self):
        file = self.work / "said.json"
        self.said("den?", f"/save {file}", "cod?", f"/save {file}")  # its own may grow
        self.assertEqual(len(json.loads(file.read_text())["messages"]), 4)
        self.refused_line(("den?", f"/save {file}"), b"is there already", f"/save --force {file}".encode())
        self.assertEqual(len(json.loads(file.read_text())["messages"]), 4)
        self.said(f"/load {file}", "den?", f"/save {file}")  # goes on
        self.assertEqual(len(json.loads(file.read_text())["messages"]), 6)
        self.refused_line((f"/load {file}", "/reset", f"/save {file}"), b"is there already")
        self.said("den?", f"/save --force {file}")
        self.assertEqual(len(json.loads(file.read_text())["messages"]), 2)
        before = (self.model / "config.json").read_bytes()
        for force in ("", "--force "):
            self.refused_line((f"/save {force}{self.model}/config.json",), b"no saved conversation")
        self.assertEqual((self.model / "config.json").read_bytes(), before)
        self.refused_line((f"/save {self.model}",), b"no saved conversation")
        self.refused_line((f"/save {self.work}/new.jsonl",), b"/row appends")
        self.assertFalse((self.work / "new.jsonl").exists())

    def test_a_file_that_came_to_the_place_of_its_own_is_kept(self):
        file, other = self.work / "said.json", self.work / "other.json"
        self.said("cod?", f"/save {other}")
        for come in (lambda: os.replace(other, file), lambda: file.write_text(file.read_text() + " ")):
            talk = subprocess.Popen([ROUNDPIPE, "chat", "--model", self.model], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            talk.stdin.write(f"den?\n/save --force {file}\n")
            talk.stdin.flush()
            while f"Saved to {file}" not in talk.stdout.readline():
                self.assertIsNone(talk.poll())
            come()
            before = file.read_text()
            out, err = talk.communicate(f"/save {file}\n")
            self.assertEqual(talk.returncode, INVALID_INPUT, err)
            self.assertIn("is not as this conversation has left it", err)
            self.assertIn(f"/save --force {file}", err)
            self.assertEqual(file.read_text(), before)

    def test_what_was_saved_beside_the_messages_is_loaded(self):
        self.make_adapter()
        file = self.work / "said.json"
        settings = ("/strength 0.5", "/adapter polly=0.5", "/set temperature 1.5", "/set seed 7", "/set max_new_tokens 9")
        self.said(*settings, "/compare", "den?", f"/save {file}", adapter=True, options=("--stop", "never said"))
        again = self.work / "again.json"
        shown = self.said(f"/load {file}", f"/save {again}", adapter=True)
        self.assertIn("2 messages. Answering: polly=0.25, at strength 1.\n", shown)
        self.assertEqual(json.loads(again.read_text()), json.loads(file.read_text()))
        self.refused_line((f"/load {file}",), b"'polly'", b"--adapter")
        file.write_text(json.dumps({"messages": [{"role": "user", "content": "den?"}]}))
        self.assertIn("1 message. Answering: polly=1", self.said(f"/load {file}", adapter=True))

    def test_a_conversation_is_saved_and_goes_on(self):
        file = self.work / "said.json"
        whole = self.said("/system Be brief.", "den?", "cod?").splitlines()
        self.said("/system Be brief.", "den?", f"/save {file}")
        self.assertEqual(self.said(f"/load {file}", "cod?").splitlines()[1:], whole[2:])
        file.write_text('{"messages": [{"role": "user"}]}')
        done = self.talk(f"/load {file}")
        self.assertEqual(done.returncode, INVALID_INPUT)
        self.assertIn(b"no conversation", done.stderr)

    def test_options_of_sampling_are_set_on_the_way(self):
        wild = self.generated("--prompt", "den?", "--temperature", 1.5, "--seed", 3, "--top-k", 50)
        self.assertEqual(self.said("/set temperature 1.5", "/set seed 3", "/set top-k 50", "den?"),
                         "  temperature 1.5\n  seed 3\n  top_k 50\n" + wild)
        for line, words in (("/set top_p 2", b"'top_p' is 2"), ("/set warmth 2", b"'warmth'"), ("/hello", b"'/hello' is no command"),
                            ("/adapter nobody", b"'nobody'"), ("/compare", b"no adapter"), ("/strength much", b"'much'"), ("/strength 1e9", b"from -100 to 100"),
                            ("/save", b"/save FILE"), ("/row rows.jsonl", b"no answer yet"), ("/tokens", b"no answer yet")):
            done = self.talk(line)
            self.assertEqual((done.returncode, words in done.stderr), (INVALID_INPUT, True), (line, done.stderr))

    def test_stop_texts_are_never_shown(self):
        drawn = ("--prompt", "den?", "--temperature", 1, "--seed", 5)
        answer = self.generated(*drawn).removesuffix("\n")
        self.assertGreater(len(set(answer)), 6)
        for begin in (1, len(answer) // 2):
            stop = answer[begin:begin + 4]  # of several tokens
            whole = json.loads(self.generated(*drawn, "--stop", "never said", "--stop", stop, "--json"))
            self.assertEqual((whole["answer"], whole["end"]), (answer[:answer.index(stop)], "stop-text"))

    def test_bytes_that_are_no_text_are_refused(self):
        done = self.talk(input=b"Gr\xfc\xdfe\n")
        self.assertEqual(done.returncode, INVALID_INPUT)
        self.assertIn(b"no UTF-8", done.stderr)

    def test_what_is_printed_is_whole_characters(self):
        chat = self.begin("--temperature", 3, "--max-new-tokens", 150)
        chat.stdin.write("Grüße ☕\n".encode())
        chat.stdin.close()
        pieces = []
        while piece := os.read(chat.stdout.fileno(), 4096):
            pieces.append(piece.decode())  # each as it came
        self.assertEqual(chat.wait(60), 0)
        self.assertTrue(any(ord(letter) > 127 for letter in "".join(pieces)), "draws of bytes give some that are no ASCII")

    def begin(self, *options):
        chat = subprocess.Popen([str(part) for part in (ROUNDPIPE, "chat", "--model", self.model, "--device", "cpu", *options)],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (chat.kill(), chat.wait(), [stream.close() for stream in (chat.stdin, chat.stdout, chat.stderr)]))
        return chat

    def make_long(self):
        """A model whose answers are long: none of its tokens ends them."""
        self.edit("config.json", lambda config: config.update(max_position_embeddings=60000, eos_token_id=None, rope_scaling=None,
                                                              rope_parameters={"rope_type": "default", "rope_theta": 10000.0}))
        (self.model / "generation_config.json").unlink(missing_ok=True)
        self.edit("tokenizer_config.json", lambda config: config.pop("eos_token"))

    def test_ctrl_c_stops_the_answer_and_not_the_program(self):
        self.make_long()
        chat = self.begin("--context", 50000, "--max-new-tokens", 40000, "--temperature", 1)
        chat.stdin.write(b"den?\n")
        chat.stdin.flush()
        self.assertTrue(os.read(chat.stdout.fileno(), 10))
        chat.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, said = chat.communicate(b"/set max_new_tokens 3\ncod?\n", timeout=60)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(chat.returncode, 0, said)
        self.assertIn(b"(stopped)", said)
        self.assertIn(b"max_new_tokens 3\n", out)
        self.assertIn(b"cut off after 3 tokens", said)
        self.assertIn(b"cut off after 1 token;", self.talk("/set max_new_tokens 1", "den?").stderr)

    def test_sigterm_ends_it(self):
        self.make_long()
        chat = self.begin("--context", 50000, "--max-new-tokens", 40000, "--temperature", 1)
        chat.stdin.write(b"den?\n")
        chat.stdin.flush()
        self.assertTrue(os.read(chat.stdout.fileno(), 10))
        chat.send_signal(signal.SIGTERM)
        self.assertEqual(chat.wait(30), 130)

    def test_a_terminal_has_a_prompt_and_goes_on_after_errors(self):
        here, there = pty.openpty()
        chat = subprocess.Popen([str(part) for part in (ROUNDPIPE, "chat", "--model", self.model, *FEW)], stdin=there, stdout=there,
                                stderr=there, env=os.environ | {"NO_COLOR": "1"}, start_new_session=True)
        os.close(there)
        self.addCleanup(lambda: (chat.kill(), chat.wait(), os.close(here)))

        def read_until(words):
            shown, limit = b"", time.monotonic() + 60
            while words not in shown and time.monotonic() < limit:
                if select.select([here], [], [], 1)[0]:
                    shown += os.read(here, 4096)
            self.assertIn(words, shown)
            return shown

        read_until(b"> ")
        os.write(here, b"/hello\n")
        self.assertIn(b"/help lists them", read_until(b"> "))
        chat.send_signal(signal.SIGINT)
        read_until(b"Ctrl-D ends")
        os.write(here, "Grüße,\\\nden?\n".encode())
        read_until("… ".encode())
        read_until(b"> ")
        os.write(here, b"\x04")
        self.assertEqual(chat.wait(30), 0)


if __name__ == "__main__":
    unittest.main()
