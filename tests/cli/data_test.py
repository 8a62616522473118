# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe's data commands, and what train says of rows, as a script sees it.

usage: data_test.py ROUNDPIPE [unittest options]
"""
import gzip
import json
import pathlib
import re
import shutil
import unittest

from command_line import INVALID_INPUT, IO, NOTHING_USABLE, UNSUPPORTED, WOULD_NOT_START, CommandLine, call


class DataCommands(CommandLine):
    def test_malformed_row_is_named_and_the_rest_trained(self):
        lines = self.data.read_text().splitlines()
        lines[6] = lines[6][:-3]
        self.data.write_text("\n".join(lines) + "\n")
        done = self.train("--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("line 7", done.stdout)
        self.assertEqual(self.train().returncode, 0)

    def test_file_of_malformed_rows_is_refused(self):
        self.data.write_text("not json\n")
        self.refused(self.train(), INVALID_INPUT, "rows.jsonl", "1")

    def test_columns_that_nothing_reads_are_named(self):
        path = self.work / "rows.csv"
        path.write_text("question;answer;system_prompt\nWhat, now?;this;be kind\nAnd then?;that;be kind\n")
        columns = ("--columns", "prompt=question,completion=answer")
        self.assertIn("system_prompt: string in 2 rows, not read,", call("data", "inspect", path, *columns).stdout)
        for command in (("data", "stats", path, *columns), ("train", *columns, "--data", path, "--dry-run", "--min-trained-share", 0)):
            done = call(*command, "--model", self.model)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"columns that nothing reads, of rows.csv: system_prompt\n")
        chat = self.work / "chat.jsonl"
        turn = {"role": "assistant", "content": "ash bay cod", "mask": True, "loss": 0.5}
        chat.write_text(json.dumps({"messages": [{"role": "user", "content": "ash"}, turn]}) + "\n")
        for command in (("data", "stats", chat), ("train", "--data", chat, "--dry-run", "--min-trained-share", 0)):
            done = call(*command, "--model", self.model)
            self.assertRegex(done.stdout, r"columns that nothing reads, of chat.jsonl: messages.loss, messages.mask\n", done.stderr)
        self.assertIn("nothing reads: messages.loss, messages.mask", call("data", "lens", chat, "--model", self.model).stdout)
        self.assertIn("messages.loss, messages.mask: not read, unless by the model's chat template", call("data", "inspect", chat).stdout)
        self.assertEqual(json.loads(call("data", "inspect", chat, "--json").stdout)["files"][0]["message_fields"], ["messages.loss", "messages.mask"])

    def test_a_label_that_tells_no_good_answer_from_a_bad_one_is_not_read(self):
        path = self.work / "rows.jsonl"
        path.write_text("".join(json.dumps({"text": "ash bay cod", "label": label}) + "\n" for label in (0, 1, 2)))
        self.assertIn("label: whole number in 3 rows, not read,", call("data", "inspect", path).stdout)
        path.write_text("".join(json.dumps({"prompt": "ash", "completion": "bay", "label": label}) + "\n" for label in (0, 1, 2)))
        stats = ("data", "stats", path, "--model", self.text_folder())
        shown = call(*stats).stdout
        self.assertIn("has 'label': 0, so its answer is one not to learn", shown)
        self.assertIn("data.columns label= (--columns)", shown)  # and followed:
        self.assertEqual(json.loads(call(*stats, "--columns", "label=", "--json").stdout)["used"], 3)

    def test_settings_behind_a_file_are_for_data(self):
        model = ("--model", self.text_folder())
        for command in ("stats", "lens"):
            done = call("data", command, f"{self.data},weight=2", *model)
            self.refused(done, INVALID_INPUT, "only --data takes", f"Say --data {self.data},weight=2")
        done = call("data", "stats", "--data", f"{self.data},weight=2", *model)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(call("data", "inspect", f"{self.data},weight=2"), INVALID_INPUT, f"Name {self.data} alone", "--columns")

    def test_a_name_of_the_hub_without_its_prefix_is_told(self):
        self.refused(call("data", "inspect", "tatsu-lab/alpaca"), IO, "no file 'tatsu-lab/alpaca'", "hf:tatsu-lab/alpaca")
        self.assertNotIn("hf:", call("data", "inspect", "gone/rows.jsonl").stderr)

    def test_a_share_of_nothing_is_refused_by_its_own_name(self):
        model = ("--model", self.text_folder())
        for setting in ("weight=0", "rows=-1", "tokens=abc"):
            done = call("data", "stats", "--data", f"{self.data},{setting}", *model)
            self.refused(done, INVALID_INPUT, setting, "above 0", "leave it out")

    def test_a_share_beyond_what_can_be_taken_is_refused_by_its_own_name(self):
        model = ("--model", self.text_folder())
        for setting in ("epochs=inf", "epochs=1e-9", "tokens=1e13"):
            done = call("data", "stats", "--data", f"{self.data},{setting}", *model)
            self.refused(done, INVALID_INPUT, setting, "between 1e-06 and 1000000000000")
            self.assertNotIn("share_amount", done.stderr)

    def test_a_call_that_nobody_can_read_is_not_trained(self):
        path = self.work / "calls.jsonl"
        texts = ('{"n": 12}', '{"n": 12', "")
        path.write_text("".join(json.dumps({"messages": [{"role": "user", "content": "ash"}, {"role": "assistant", "content": "bay",
            "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": text}}]}]}) + "\n" for text in texts))
        shown = call("data", "inspect", path).stdout
        self.assertIn("line 2 has a message 2 with a tool call whose arguments are not valid JSON from character 9 on", shown)
        self.assertIn("line 3 has a message 2 with a tool call whose arguments are not valid JSON from character 1 on", shown)
        self.assertNotIn("line 1 ", shown)

    def test_calls_are_learnt_with_their_arguments_or_not_at_all(self):
        path = self.work / "calls.jsonl"
        calls = ({"function": {"name": "f", "parameters": {"n": 1}}}, {"function": "f", "args": {"n": 1}}, {"name": "f", "input": {"n": 1}},
                 {"name": "f", "arguments": {"n": 1}, "status": "ok"}, {"name": "f", "n": 1}, {"name": "f", "arguments": [1]})
        path.write_text("".join(json.dumps({"messages": [{"role": "user", "content": "ash"}, {"role": "assistant", "content": "bay",
            "tool_calls": [one]}]}) + "\n" for one in calls))
        shown = call("data", "inspect", path).stdout
        self.assertIn("line 5 has a message 2 with a tool call without 'arguments', but with 'n', which is not understood", shown)
        self.assertIn("line 6 has a message 2 with a tool call whose arguments are [1], not an object", shown)
        self.assertIn("2 of them cannot be used", shown)
        self.assertIn("messages.tool_calls.status: not read", shown)
        done = call("data", "convert", path, "--to", self.work / "out.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in (self.work / "out.jsonl").read_text().splitlines():
            one = json.loads(line)["messages"][1]["tool_calls"][0]
            self.assertEqual(json.loads(one.get("function", one)["arguments"]), {"n": 1}, line)

    def test_rows_and_turns_that_are_not_to_be_trained_are_not(self):
        rows = [{"instruction": "ash", "output": "bay", "train": value} for value in (True, False, "False", 0)]
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        model = ("--model", self.text_folder())
        shown = call("data", "stats", self.data, *model).stdout
        self.assertIn("1 used · 3 dropped", shown)
        self.assertIn("has 'train': false, so its answer is one not to learn", shown)
        self.assertNotIn("nothing reads", shown)
        self.assertIn("by its name: data.columns label= (--columns)", shown)  # and followed:
        self.assertIn("4 used · 0 dropped", call("data", "stats", self.data, *model, "--columns", "train=").stdout)

    def test_one_row_is_spoken_of_as_one(self):
        self.data.write_text('{"instruction": "ash", "output": "bay"}\n' * 2 + '{"instruction": "ash", "output": "cod"}\n' * 2)
        path = self.work / "rows.csv"
        path.write_text("instruction,output\nash\nash,bay\n")
        self.assertIn("record 1 has another number of columns (1) than the header (2)", call("data", "inspect", path).stdout)
        options = ("--dry-run", "--min-trained-share", 0, "--validation-fraction", 0)
        self.assertIn("2 rows repeat an earlier one", self.train(*options).stdout)
        self.data.write_text('{"instruction": "ash", "output": "bay"}\n' * 2 + '{"instruction": "cod", "output": "dew elm"}\n')
        self.assertIn("1 row repeats an earlier one", self.train(*options).stdout)

    def test_an_import_without_data_says_so_and_what_it_advises_works(self):
        theirs, ours = self.work / "run.yaml", self.work / "run.json"
        theirs.write_text(f"base_model: {self.model}\nadapter: lora\ndatasets:\n  - {{path: org/far, type: alpaca}}\n"
                          f"  - {{path: {self.data}, type: chat_template, roles_to_train: [user]}}\n")
        done = call("import", theirs, "--to", ours)
        self.assertEqual(done.returncode, NOTHING_USABLE, done.stderr)
        self.assertIn("'org/far' is not here", done.stdout)
        self.assertIn(f"'{self.data}' says by 'roles_to_train' what is trained, which has no counterpart", done.stdout)
        self.assertIn(f"name files when it is trained (roundpipe train {ours} --data FILE)", done.stdout)
        followed = call("train", ours, "--data", self.data, "--dry-run", "--devices", "cpu", "--min-trained-share", 0)
        self.assertEqual(followed.returncode, 0, followed.stderr)
        theirs.write_text(f"base_model: {self.model}\nadapter: lora\ndatasets: [{{path: {self.data}, type: chat_template}}]\n")
        done = call("import", theirs, "--to", ours, "--force")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("no data", done.stdout)

    def test_labels_that_tell_nothing_beside_others_are_named(self):
        rows = [{"instruction": "ash", "output": "bay", "label": label} for label in (True, [False], "Reject")]
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        said = "labels that do not say whether the answer is a good one"
        self.assertIn(said, call("data", "stats", self.data, "--model", self.text_folder()).stdout)
        self.assertIn(said, self.train("--dry-run", "--min-trained-share", 0).stdout)

    def test_a_file_in_another_encoding_is_to_be_saved_as_utf_8(self):
        for name, content in (("rows.csv", "prompt;completion\nWie heißt du?;Jörg\n"), ("rows.jsonl", '{"text": "Grüße"}\n'),
                              ("rows.txt", "Grüße\n")):
            path = self.work / name
            path.write_bytes(content.encode("latin-1"))
            self.assertIn("save the file as UTF-8", call("data", "inspect", path).stdout, name)
        (self.work / "named.csv").write_bytes("frage;größe\na;b\n".encode("latin-1"))
        self.refused(call("data", "inspect", self.work / "named.csv"), INVALID_INPUT, "Save the file as UTF-8")

    def test_columns_of_other_languages_are_offered_and_what_is_offered_can_be_followed(self):
        path = self.work / "rows.csv"
        for header, columns in (("nr;frage;antwort", "instruction=frage,output=antwort"),
                                ("Nr;Frage;Antwort", "instruction=Frage,output=Antwort"),
                                ("编号,问题,回答", "instruction=问题,output=回答"),
                                ("编号,指令,输入,输出", "instruction=指令,input=输入,output=输出")):
            path.write_text(header + "\n" + re.sub(r"[^;,]+", "word", header) + "\n")
            self.assertIn(f"for example {columns}.", call("data", "inspect", path).stdout)
            followed = json.loads(call("data", "inspect", path, "--columns", columns, "--json").stdout)["files"][0]
            self.assertEqual((followed["format"], followed["bad_rows"]), ("alpaca", 0))

    def test_lists_as_python_prints_them_are_named(self):
        path = self.work / "rows.csv"
        path.write_text("messages,id\n\"[{'role': 'user', 'content': 'a'}]\",1\n")
        shown = call("data", "inspect", path).stdout
        self.assertIn("a list as Python prints it, not JSON", shown)
        self.assertNotIn("--no-header", shown)

    def test_advice_for_a_table_names_the_header(self):
        path = self.work / "bare.csv"
        path.write_text("What is 1+1?;2\nWhat is 2+2?;4\n")
        shown = call("data", "inspect", path).stdout
        self.assertIn("data.header off (--no-header)", shown)
        self.assertLess(shown.index("--no-header"), shown.index("--columns"))  # by which the first row would be lost
        advised = call("data", "inspect", path, "--no-header").stdout  # followed, and what is then advised
        self.assertIn("instruction=column 1,output=column 2", advised)
        self.assertNotIn("--no-header", advised)
        done = call("data", "inspect", path, "--no-header", "--columns", "instruction=column 1,output=column 2", "--json")
        report = json.loads(done.stdout)["files"][0]
        self.assertEqual((report["rows"], report["format"]), (2, "alpaca"))

    def test_data_inspect_says_what_a_file_holds(self):
        path = self.work / "rows.jsonl"
        path.write_text('{"question": "a", "answer": "b"}\n{"question": "c"\n{"question": 7, "answer": "d"}\n')
        done = call("data", "inspect", path, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)["files"][0]
        self.assertEqual((report["kind"], report["compression"], report["rows"], report["bad_rows"]), ("JSONL", "none", 3, 1))
        self.assertEqual((report["format"], report["column_mapping"]), ("alpaca", "instruction=question,output=answer"))
        self.assertIn("'question' and 'answer'", report["format_reason"])
        self.assertEqual([column["name"] for column in report["columns"]], ["question", "answer"])
        self.assertEqual(report["columns"][0]["types"], ["string", "whole number"])
        self.assertEqual([row["number"] for row in report["first_bad_rows"]], [2])
        self.assertEqual(report["first_rows"][0], {"question": "a", "answer": "b"})
        text = call("data", "inspect", path)
        self.assertEqual(text.returncode, 0, text.stderr)
        for word in ("JSONL", "line 2 is not valid JSON", "whole number", "--columns"):
            self.assertIn(word, text.stdout)

    def test_examples_of_the_manual_are_of_the_formats_that_they_stand_under(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "resources/manual/row-formats.md"
        examples = re.findall(r"^## (.+)\n\n    (\{.+\})$", page.read_text(), re.MULTILINE)
        formats = {"Messages": "messages", "ShareGPT": "sharegpt", "Alpaca": "alpaca", "Prompt and completion": "completion",
                   "Text": "text", "Segments": "segments"}
        self.assertEqual([heading for heading, _ in examples], list(formats))
        for heading, row in examples:
            path = self.work / "example.jsonl"
            path.write_text(row + "\n")
            report = json.loads(call("data", "inspect", path, "--json").stdout)["files"][0]
            self.assertEqual((report["format"], report["bad_rows"]), (formats[heading], 0), heading)

    def test_data_inspect_says_that_no_row_of_an_unknown_format_can_be_used(self):
        path = self.work / "unknown.jsonl"
        path.write_text('{"height": 1, "width": 2}\n' * 3)
        done = call("data", "inspect", path)
        self.assertEqual(done.returncode, 9)
        self.assertRegex(done.stdout, r"rows +3, none of which can be used\n +format +unknown")

    def test_data_inspect_counts_one_row(self):
        path = self.work / "one.jsonl"
        path.write_text(json.dumps({"instruction": "a", "output": "b"}) + "\n")
        self.assertIn("instruction: string in 1 row, such as", call("data", "inspect", path).stdout)

    def test_data_inspect_shows_the_first_rows_before_it_reads_the_others(self):
        path = self.work / "rows.jsonl"
        path.write_text('{"question": "a", "answer": "b"}\n' * 3000 + '{"question": "a", "answer": "b", "late": 1}\n{"bad\n')
        text = call("data", "inspect", path).stdout
        first, rest = text.split("Reading on for the other rows")
        self.assertIn("1024 read so far, 0 of them cannot be used", first)
        self.assertNotIn("late", first)
        self.assertRegex(rest, r"all of it\n +rows +3002, 1 of them cannot be used\n")
        for word in ("late: whole number in 1 row, not read", "line 3002 is not valid JSON"):
            self.assertIn(word, rest)
        self.assertEqual(json.loads(call("data", "inspect", path, "--json").stdout)["files"][0]["rows"], 3002)

    def test_data_inspect_opens_folders_and_says_what_it_leaves(self):
        folder = self.work / "data"
        folder.mkdir()
        (folder / "b.csv").write_text("text\nx\n")
        (folder / "a.txt.gz").write_bytes(gzip.compress(b"Hello\n"))
        (folder / "run.py").write_text("x")
        files = json.loads(call("data", "inspect", folder, "--json").stdout)
        self.assertEqual([pathlib.Path(file["path"]).name for file in files["files"]], ["b.csv"])
        self.assertEqual(sorted(pathlib.Path(file["path"]).name for file in files["skipped"]), ["a.txt.gz", "run.py"])
        text = json.loads(call("data", "inspect", folder / "a.txt.gz", "--json").stdout)["files"][0]
        self.assertEqual((text["kind"], text["compression"], text["format"]), ("text", "gzip", "text"))

    def test_data_inspect_names_what_it_cannot_read(self):
        self.refused(call("data", "inspect", self.work / "absent.jsonl"), IO, "absent.jsonl")
        (self.work / "u.jsonl").write_bytes('{"a": 1}'.encode("utf-16"))
        self.refused(call("data", "inspect", self.work / "u.jsonl"), INVALID_INPUT, "u.jsonl", "UTF-16")
        (self.work / "a.jsonl").write_text('{"text": "x"}\n')
        self.refused(call("data", "inspect", self.work / "a.jsonl", "--columns", "bogus=x"), INVALID_INPUT, "bogus", "prompt")
        for command in ("inspect", "convert"):
            twice = call("data", command, self.work / "a.jsonl", "--columns", "text=text,text=n", *(["--to", self.work / "b.jsonl"] if command == "convert" else []))
            self.refused(twice, INVALID_INPUT, "names the field 'text' twice")
        self.refused(call("data", "inspect", self.work / "a.jsonl", "--format", "yaml"), INVALID_INPUT, "yaml", "sharegpt")

    def test_data_convert_writes_messages(self):
        source, target = self.work / "rows.csv", self.work / "messages.jsonl"
        source.write_text('instruction,input,output\nAdd,"1\n2",3\nragged\n')
        done = call("data", "convert", source, "--to", target)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("record 2", done.stderr)
        self.assertEqual([json.loads(line) for line in target.read_text().splitlines()], [
            {"messages": [{"role": "user", "content": "Add\n1\n2"}, {"role": "assistant", "content": "3"}]}])
        self.refused(call("data", "convert", source, "--to", target), INVALID_INPUT, "messages.jsonl", "--force")
        self.refused(call("data", "convert", source, "--to", source, "--force"), INVALID_INPUT, "rows.csv")
        self.assertEqual(call("data", "convert", source, "--to", target, "--force").returncode, 0)

    def test_data_convert_refuses_what_is_no_chat_and_leaves_no_file(self):
        source, target = self.work / "rows.jsonl", self.work / "messages.jsonl"
        source.write_text('{"text": "x"}\n')
        self.refused(call("data", "convert", source, "--to", target), UNSUPPORTED, "text", "no chat")
        source.write_text('{"prompt": "a", "completion": "b"}\n')
        self.refused(call("data", "convert", source, "--to", target), UNSUPPORTED, "instruction=prompt,output=completion")
        self.assertFalse(target.exists())
        done = call("data", "convert", source, "--to", target, "--format", "alpaca", "--columns",
                    "instruction=prompt,output=completion")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(target.read_text())["messages"][1]["content"], "b")

    def test_dataset_without_a_trained_token_is_refused(self):
        self.data.write_text(json.dumps({"messages": [{"role": "user", "content": "Hello"}]}) + "\n")
        self.refused(self.train(), INVALID_INPUT, "rows.jsonl")

    def test_run_that_trains_next_to_nothing_is_refused_with_counts(self):
        rows = [{"messages": [{"role": "user", "content": "long words " * 300}, {"role": "assistant", "content": "No."}]}] * 3
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        options = ("--max-length", 4096, "--validation-fraction", 0)
        self.refused(self.train(*options), INVALID_INPUT, "would be trained", "3 of 3 rows", "data.min_trained_share")
        self.assertEqual(self.train(*options, "--dry-run", "--min-trained-share", 0).returncode, 0)

    def test_dry_run_says_that_turns_have_no_end(self):
        template = self.work / "no_end.jinja"
        template.write_text("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}")
        self.assertNotIn("no end", self.train("--dry-run").stdout)
        done = self.train("--dry-run", "--chat-template", template)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\nno end     Answers that end without a special token: \d+\.")

    # Data commands, on a folder that has a tokenizer and a template and nothing else.
    def text_folder(self):
        folder = self.work / "text"
        folder.mkdir()
        for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
            if (self.model / name).exists():
                shutil.copy(self.model / name, folder / name)
        return folder

    def lens(self, *more):
        return call("data", "lens", self.data, "--model", self.text_folder(), *more)

    def test_lens_shows_each_token_and_what_is_trained(self):
        done = self.lens("--rows", "2..3", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["row"] for row in rows], [2, 3])
        source = [json.loads(line) for line in self.data.read_text().splitlines()]
        for row in rows:
            answer = source[row["row"] - 1]["messages"][-1]["content"]
            text = row["text"].encode()
            trained = [token for token in row["tokens"] if token["trained"]]
            self.assertEqual(text[trained[0]["begin"]:trained[-1]["end"]].decode(), answer + "<|im_end|>")
            self.assertEqual(row["num_trained"], len(trained))
            self.assertTrue(all(token["message"] == row["messages"].__len__() - 1 for token in trained[:-1]))
            self.assertTrue(trained[-1]["special"])
            self.assertIsNone(row["dropped"])

    def test_lens_marks_by_brackets_or_colours(self):
        plain = self.lens("--max-length", 20)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertIn("cut off", plain.stdout)
        self.assertIn("{{", plain.stdout)
        self.assertNotIn("\033", plain.stdout)
        shutil.rmtree(self.work / "text")
        self.assertIn("\033[38;5;231;48;5;", self.lens("--color").stdout)
        shutil.rmtree(self.work / "text")
        self.assertEqual(self.lens("--color", "--no-color").returncode, INVALID_INPUT)

    def test_lens_shows_some_pages_of_a_long_row(self):
        long = self.work / "long.jsonl"
        long.write_text(json.dumps({"text": "na " * 40_000}) + "\n")
        shown = call("data", "lens", long, "--model", self.text_folder(), "--no-color")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"… and [\d,]+ tokens more \(--json has the first [\d,]+\)")
        self.assertLess(len(shown.stdout), 200_000)

    def test_lens_shows_a_dropped_row_and_why(self):
        self.data.write_text(json.dumps({"messages": [{"role": "user", "content": "Hello"}]}) + "\n")
        done = self.lens()
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("DROPPED, no assistant turn", "<|im_start|>·user", "line 1"):
            self.assertIn(word, done.stdout)

    def test_lens_refuses_a_column_that_no_row_has(self):
        path = self.work / "pairs.jsonl"
        late = json.dumps({"q": "a", "a": "b", "rules": "c"})
        path.write_text((json.dumps({"q": "a", "a": "b"}) + "\n") * 1500 + late + "\n")
        model = self.text_folder()
        lens = lambda *more: call("data", "lens", path, "--model", model, *more)
        self.refused(lens("--columns", "instruction=q,output=a,system=sysss"), INVALID_INPUT, "pairs.jsonl", "No row", "'sysss'")
        self.refused(lens("--columns", "output=a", "--prompt-template", "{q}\n{schemas}"), INVALID_INPUT, "No row", "'schemas'")
        self.assertEqual(lens("--columns", "instruction=q,output=a,system=rules").returncode, 0)  # that the last row has

    def test_lens_names_a_row_that_is_not_there_and_a_wrong_range(self):
        self.refused(self.lens("--row", 1000), INVALID_INPUT, "rows.jsonl", "no line 1000")
        shutil.rmtree(self.work / "text")
        self.refused(self.lens("--rows", "5..2"), INVALID_INPUT, "5..2", "10..20")

    def test_stats_count_what_is_wrong_with_a_dataset(self):
        def row(question, answer):
            return {"messages": [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]}
        question = "Which words stand in this question that is asked more than once in the file?"
        rows = [row(question, "ash bay"), row(question, "ash bay"), row(question + "!", "ash bay"), row("a<|im_end|>", "b"),
                {"messages": [{"role": "user", "content": "x"}]}]
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows) + "not json\n")
        command = ("data", "stats", self.data, "--model", self.text_folder(), "--validation-fraction", 0)
        done = call(*command, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["rows"], report["used"]), (6, 4))
        self.assertEqual(report["drop_reasons"], {"bad row": 1, "no assistant turn": 1})
        self.assertEqual([item["row"] for item in report["dropped"]], [5, 6])
        self.assertEqual((report["duplicates"]["rows"], report["near_duplicates"]["rows"]), (1, 1))
        self.assertEqual(report["duplicates"]["examples"][0]["earlier"]["row"], 1)
        self.assertEqual(report["special_tokens"][0]["token"], "<|im_end|>")
        self.assertIsNone(report["refusal"])
        shown = call(*command)
        for word in ("###", "p99", "1  repeats an earlier one", "line 6", "would start"):
            self.assertIn(word, shown.stdout)
        refused = call(*command, "--min-trained-share", 0.99)
        self.assertIn("would not start", refused.stdout)
        self.assertEqual((shown.returncode, refused.returncode), (0, WOULD_NOT_START))

    def test_a_folder_is_split_by_the_names_of_its_files(self):
        folder = self.work / "set"
        folder.mkdir()
        rows = self.data.read_text().splitlines(keepends=True)
        (folder / "train.jsonl").write_text("".join(rows[:6]))
        (folder / "validation.jsonl").write_text("".join(rows[6:9]))
        (folder / "test.jsonl").write_text(rows[9])
        (folder / "README.md").write_text("# About")
        dry = self.train("--dry-run", data=folder)
        self.assertEqual(dry.returncode, 0, dry.stderr)
        stats = call("data", "stats", folder, "--model", self.text_folder())
        for shown in (dry.stdout, stats.stdout):
            self.assertRegex(shown, r"6 to train on.* 3 to validate on, of validation.jsonl")
            self.assertRegex(shown, r"the file .*test.jsonl: it is for testing, by its name")
            self.assertRegex(shown, r"the file .*README.md: it is a text beside files with rows")
        inspected = json.loads(call("data", "inspect", folder, "--json").stdout)
        self.assertEqual([pathlib.Path(path).name for path in inspected["validation"]], ["validation.jsonl"])
        self.assertEqual(len(inspected["files"]), 2)
        mine = self.train("--dry-run", "--validation-data", folder / "test.jsonl", data=folder).stdout
        self.assertRegex(mine, r"6 to train on, 1 to validate on, of test.jsonl")
        self.assertRegex(mine, r"validation.jsonl: it is for validation, by its name, and data.validation_file names another")
        same = self.train("--dry-run", "--validation-data", folder / "validation.jsonl", data=folder).stdout
        self.assertRegex(same, r"6 to train on, 3 to validate on, of validation.jsonl")
        self.assertNotIn("names another", same)
        converted = call("data", "convert", folder, "--to", self.work / "all.jsonl")
        self.assertIn("6 rows written", converted.stdout)
        self.assertIn("validation.jsonl", converted.stderr)

    def test_exit_codes_tell_nothing_usable_from_what_would_not_start(self):
        self.data.write_text('{"prompt": 1}\n' * 3)
        self.assertEqual(call("data", "inspect", self.data).returncode, NOTHING_USABLE)
        self.data.write_text('{"messages": [{"role": "user", "content": "x"}]}\n' * 3)
        model = ("--model", self.text_folder())
        self.assertEqual(call("data", "inspect", self.data).returncode, 0)
        done = call("data", "stats", self.data, *model)
        self.assertEqual(done.returncode, NOTHING_USABLE, done.stderr)
        self.assertIn("would not start", done.stdout)
        self.data.write_text('{"chosen": "a", "rejected": "b"}\n' * 3)  # of a format that we do not know
        self.assertEqual(call("data", "inspect", self.data).returncode, NOTHING_USABLE)
        done = call("data", "stats", self.data, *model)
        self.assertEqual(done.returncode, NOTHING_USABLE, done.stderr)
        self.assertIn("are preferences", done.stderr)
        self.data.write_text("[]\n")  # of no rows
        for command in (("inspect", self.data), ("stats", self.data, *model), ("stats", "--data", self.data, "--data", self.data, *model)):
            done = call("data", *command)
            self.assertEqual(done.returncode, NOTHING_USABLE, done.stderr)
            self.assertRegex(done.stdout + done.stderr, "(It|'.*') has no rows")
        self.refused(self.train(), INVALID_INPUT, "has no rows")
        for command in ("inspect", "stats"):
            self.assertRegex(call("data", command, "--help").stdout, r"Exit status: 0 .*9 where")

    def test_stats_do_not_say_that_a_run_would_start_where_a_turn_lacks_its_end(self):
        endless = self.work / "endless.jinja"
        endless.write_text("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}\n{% endfor %}")
        model = ("--model", self.text_folder())
        done = call("data", "stats", self.data, *model, "--chat-template", endless)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("would start", done.stdout)
        self.assertRegex(done.stdout, r"would not teach the model to stop: in \d+ rows .*\(line 1\)")
        self.assertIn("--chat-template", done.stdout)
        self.assertIn("would start", call("data", "stats", self.data, *model).stdout)  # with one that ends them

    def test_a_model_without_a_chat_template_trains_on_texts_only(self):
        model = self.text_folder()
        (model / "chat_template.jinja").unlink()
        for row in ({"text": "ash bay cod"}, {"prompt": "ash bay", "completion": "cod"}):
            self.data.write_text((json.dumps(row) + "\n") * 4)
            done = call("data", "stats", self.data, "--model", model, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["used"], 4)
        self.data.write_text(json.dumps({"messages": [{"role": "user", "content": "x"}]}) + "\n")
        self.refused(call("data", "stats", self.data, "--model", model), UNSUPPORTED, "no chat template", "--chat-template")

    def test_stats_count_rows_dropped_for_the_same_and_say_what_can_be_done(self):
        call_of_a_tool = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}
        messages = [{"role": "user", "content": "x"}, call_of_a_tool]
        rows = [{"messages": messages}] * 3 + [{"messages": [messages[0], {"role": "assistant", "content": "y"}]}]
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        knows_no_tools = self.work / "plain.jinja"
        knows_no_tools.write_text("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}")
        stats = ("data", "stats", self.data, "--model", self.text_folder())
        for train_on in ("assistant", "all"):
            shown = call(*stats, "--chat-template", knows_no_tools, "--train-on", train_on).stdout
            self.assertEqual(shown.count("line 1: has a tool call that the chat template does not print"), 1, shown)
            self.assertNotIn("line 2", shown)
            for word in ("and 2 more for the same", "a template that prints tool calls (--chat-template)"):
                self.assertIn(word, shown)
        prints_calls = self.work / "calls.jinja"  # what is advised, followed
        prints_calls.write_text(knows_no_tools.read_text().replace("<|im_end|>", "{{ m.tool_calls | tojson if m.tool_calls else '' }}<|im_end|>"))
        self.assertNotIn("tool call", call(*stats, "--chat-template", prints_calls).stdout)

    def test_a_template_that_reads_what_a_tool_lacks_is_told_with_the_place_in_the_row(self):
        template = self.data.with_name("describes.jinja")
        template.write_text("{% for t in tools %}{{ '// ' + t.function.description }}{% endfor %}"
                            "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}")
        tools = [{"type": "function", "function": {"name": "ash", "description": "Grows."}},
                 {"type": "function", "function": {"name": "bay"}}]
        messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
        self.data.write_text(json.dumps({"messages": messages, "tools": tools}) + "\n")
        stats = call("data", "stats", self.data, "--model", self.text_folder(), "--chat-template", template)
        self.assertIn("no attribute 'description': the row's tools[1].function has no 'description'", stats.stdout)
        template.write_text(template.read_text().replace("'// ' + t.function.description", "t.function.description | tojson"))
        stats = call("data", "stats", self.data, "--model", self.work / "text", "--chat-template", template)
        self.assertIn("Undefined is not JSON serializable: the row's tools[1].function has no 'description'", stats.stdout)

    def test_rows_are_left_out_by_choice_and_a_run_says_how_many(self):
        def row(question, answer):
            return json.dumps({"messages": [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]})
        rows = [row(f"ash {i}", "bay") for i in range(5)]
        self.data.write_text("\n".join(rows + [rows[1], rows[3], rows[1]]) + "\n")
        model, options = self.text_folder(), ("--validation-fraction", 0)
        key = json.loads(call("data", "lens", self.data, "--model", model, "--row", 5, "--json").stdout)["key"]
        self.assertRegex(key, "^5@[0-9a-f]{16}$")
        choice = ("--leave-out", "duplicates,empty-turns", "--leave-out-rows", key)
        report = json.loads(call("data", "stats", self.data, "--model", model, "--json", *options, *choice).stdout)
        self.assertEqual((report["used"], report["duplicates"]["rows"]), (4, 0))
        self.assertEqual(report["drop_reasons"], {"left out by choice": 4})
        self.assertEqual([item["row"] for item in report["dropped"]], [5, 6, 7, 8])
        shown = self.train("--dry-run", *options, *choice).stdout
        for words in ("4 of 8 rows are usable; dropped: 4 left out by choice", "line 6: is left out: the same as row 2",
                      "and 1 more for the same", "4 to train on"):
            self.assertIn(words, shown)

        def losses():
            return [json.loads(line)["loss"] for line in (self.out / "metrics.jsonl").read_text().splitlines()]
        options += ("--schedule", "constant")
        self.assertEqual(self.train(*options, *choice).returncode, 0)
        self.assertIn("4 left out by choice", (self.out / "run.log").read_text())
        spec = json.loads((self.out / "run.json").read_text())["data"]["datasets"][0]
        self.assertEqual((spec["leave_out"], spec["leave_out_rows"]), (["duplicates", "empty-turns"], [key]))
        done = call("train", self.out / "run.json", "--resume", "--max-steps", 4)
        self.assertEqual(done.returncode, 0, done.stderr)
        resumed = losses()
        shutil.rmtree(self.out)
        self.assertEqual(self.train(*options, *choice, "--max-steps", 4).returncode, 0)
        self.assertEqual(losses(), resumed)

        self.data.write_text("\n".join(rows[1:]) + "\n")
        self.refused(self.train(*options, *choice, out=self.work / "other"), INVALID_INPUT, key, "data.leave_out_rows")
        self.refused(self.train("--leave-out", "twins"), INVALID_INPUT, "twins", "near-leaks")
        self.refused(self.train("--leave-out-rows", "5"), INVALID_INPUT, "'5'", "data lens")

    def test_a_dry_run_says_that_a_file_stands_twice_and_tells_files_apart(self):
        copies = [self.work / name / "rows.jsonl" for name in ("old", "new")]
        for copy in copies:
            copy.parent.mkdir()
            shutil.copy(self.data, copy)
        num_rows = len(self.data.read_text().splitlines())
        twice = call("train", "--model", self.model, "--data", copies[0], "--data", copies[0], "--out", self.out, "--dry-run",
                     "--devices", "cpu", "--validation-fraction", 0)
        self.assertEqual(twice.returncode, 0, twice.stderr)
        self.assertIn(f"repeats    {num_rows} rows repeat one of another dataset", twice.stdout)
        self.assertNotIn("repeats", self.train("--dry-run", "--validation-fraction", 0).stdout)
        checked = self.train("--dry-run", "--validation-data", copies[0]).stdout
        self.assertIn(f"repeats    {num_rows} rows to validate on stand among those to train on", checked)
        stats = call("data", "stats", "--data", copies[0], "--data", copies[1], "--model", self.text_folder()).stdout
        self.assertTrue(stats.startswith("old/rows.jsonl, new/rows.jsonl\n"), stats)
        self.assertIn("(new/rows.jsonl line 1 like old/rows.jsonl line 1)", stats)

    def test_a_column_that_no_row_has_ends_every_command_alike(self):
        self.data.write_text('{"prompt": "ash", "completion": "bay"}\n' * 3)
        for columns in ("prompt=gone", "instruction=gone", "completion=gone"):
            for done in (call("data", "stats", self.data, "--model", self.model, "--columns", columns),
                         call("data", "convert", self.data, "--to", self.work / "out.jsonl", "--columns", columns),
                         self.train("--dry-run", "--columns", columns)):
                self.refused(done, INVALID_INPUT, "rows.jsonl' has a column 'gone'", f"data.columns: {columns}", "prompt, completion")
            self.assertEqual(call("data", "inspect", self.data, "--columns", columns).returncode, INVALID_INPUT)

    def test_settings_without_effect_are_named(self):
        said = "data.overlap has no effect because longer rows are not split: data.over_length is 'truncate'"
        for done in (call("data", "stats", self.data, "--model", self.model, "--overlap", "8"),
                     call("data", "lens", self.data, "--model", self.model, "--overlap", "8"),
                     self.train("--dry-run", "--overlap", "8")):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(said, done.stderr)
        used = call("data", "stats", self.data, "--model", self.model, "--overlap", "8", "--over-length", "split")
        self.assertNotIn("no effect", used.stderr)

    def test_settings_of_tables_beside_other_files_are_named(self):
        model = ("--model", self.text_folder())
        table = self.work / "rows.csv"
        table.write_text("prompt;completion\nash;bay\nbay;cod\n")
        settings = {"delimiter": ("--delimiter", ";"), "header": ("--no-header",)}
        for name, options in settings.items():
            said = f"data.{name}, as the rows stand in no CSV or TSV file"
            for command in (("data", "stats", self.data, *model), ("train", "--data", self.data, "--dry-run", "--model", self.model)):
                done = call(*command, *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, re.escape(said) + r": in \d+ rows \(line 1\)")
            self.assertIn(f"Not used: data.{name}, as the row stands in no", call("data", "lens", self.data, *model, *options).stdout)
            self.assertIn("not used " + said, call("data", "inspect", self.data, *options).stdout)
            shown = json.loads(call("data", "inspect", self.data, "--json", *options).stdout)
            self.assertEqual(shown["files"][0]["not_used"], [said])
        for command in (("data", "inspect", table), ("data", "stats", table, *model), ("data", "lens", table, *model),
                        ("data", "stats", "--data", f"{table},{self.data}", *model)):  # a dataset that has a table
            done = call(*command, "--delimiter", ";")
            self.assertNotIn("data.delimiter", done.stdout + done.stderr)

    def test_chats_over_the_limit_that_splitting_leaves_are_named(self):
        model = ("--model", self.text_folder())
        long = ("--max-length", 32, "--over-length", "split", "--min-trained-share", 0)
        chat = {"messages": [{"role": "user", "content": "ash"}, {"role": "assistant", "content": "bay " * 40}]}
        said = r"splitting \(data.over_length\), as a part of each of these rows is not trained: they are cut off: in 2 rows \(line 1\)"
        self.data.write_text((json.dumps(chat) + "\n") * 2)
        self.assertRegex(call("data", "stats", self.data, *model, *long).stdout, said)
        self.assertIn("Not used: splitting", call("data", "lens", self.data, *model, *long[:4]).stdout)
        self.data.write_text(json.dumps({"text": "cod " * 40}) + "\n")
        for command in ("stats", "lens"):
            self.assertNotIn("splitting", call("data", command, self.data, *model, *long[:4]).stdout)

    def test_rows_that_have_names_are_told_as_such(self):
        self.data.write_text(json.dumps({name: {"prompt": name, "completion": "b"} for name in ("first", "second")}))
        done = call("data", "inspect", self.data)
        self.assertEqual(done.returncode, NOTHING_USABLE, done.stderr)
        self.assertIn("Where each of them is a row, write them as a list.", done.stdout)
        self.data.write_text(json.dumps({"question": {"text": "a"}, "answer": {"words": "b"}}))
        self.assertNotIn("write them as a list", call("data", "inspect", self.data).stdout)

    def test_a_label_of_another_name_is_read(self):
        rows = [{"prompt": "q", "completion": "a", "good": True, "label": "x"},
                {"prompt": "q", "completion": "b", "good": False, "label": "x"}]
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        shown = json.loads(call("data", "inspect", self.data, "--columns", "label=good", "--json").stdout)
        self.assertEqual({column["name"]: column["read"] for column in shown["files"][0]["columns"]},
                         {"prompt": True, "completion": True, "good": True, "label": False})



if __name__ == "__main__":
    unittest.main()
