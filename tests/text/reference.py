# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares core/text with transformers: the template language, every fixture template, the fixture tokenizers.

    reference.py {language,templates,tokenizers} --probe PATH --checkout PATH

Exits with 77 (skipped) where the fixtures are not there. Prints how much was compared.
"""

import argparse
import datetime
import json
import os
import re
import pathlib
import subprocess
import sys

NOW = [2025, 2, 28, 9, 5, 7]
SKIPPED = 77


class FrozenDatetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(*NOW)


class Probe:
    """The C++ side: one JSON line in, one JSON line out."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the probe ended (exit code {self.process.wait()}) at {str(request)[:500]}")
        return json.loads(line)


class Report:
    """Counts comparisons and prints the first differences."""

    def __init__(self):
        self.numEqual = 0
        self.numRaised = 0
        self.numRefused = 0
        self.numWrong = 0

    def wrong(self, where, expected, found):
        self.numWrong += 1
        if self.numWrong <= 40:
            print(f"DIFFERENT {where}\n   transformers: {expected!r}\n   ours:         {found!r}", flush=True)

    def finish(self, what):
        print(
            f"{what}: {self.numEqual} equal, {self.numRaised} refused by both, {self.numRefused} refused by us alone, "
            f"{self.numWrong} different"
        )
        return 1 if self.numWrong or not self.numEqual else 0


def fixtures(checkout):
    folder = os.environ.get("ROUNDPIPE_FIXTURES")
    path = pathlib.Path(folder) if folder else pathlib.Path(checkout).parent / "shared" / "fixtures"
    if not (path / "chat_templates").is_dir():
        print(f"skipped: no fixtures in {path}; set ROUNDPIPE_FIXTURES to run this")
        sys.exit(SKIPPED)
    return path


def byteSpans(text, spans):
    return [[len(text[:begin].encode()), len(text[:end].encode())] for begin, end in spans]


def compareRender(report, probe, where, source, messages, kwargs, prompt, special, mayRefuse=False):
    """One rendering by both sides. `kwargs` may hold tools and documents besides template arguments."""
    from transformers.utils import chat_template_utils as hf

    import warnings

    warnings.simplefilter("ignore")
    kept = [{key: value for key, value in message.items() if value is not None} for message in messages]
    arguments = {key: value for key, value in kwargs.items() if key not in ("tools", "documents")}
    marked = "generation" in source
    try:
        texts, spans = hf.render_jinja_template(
            conversations=[kept],
            tools=kwargs.get("tools"),
            documents=kwargs.get("documents"),
            chat_template=source,
            add_generation_prompt=prompt,
            return_assistant_tokens_mask=marked,
            **{**special, **arguments},
        )
        expected = {"text": texts[0], "spans": byteSpans(texts[0], spans[0]) if marked else []}
    except Exception as error:  # whatever a template can raise in Python
        expected = {"error": f"{type(error).__name__}: {error}"}
    request = {"op": "render", "template": source, "messages": json.dumps(messages), "prompt": prompt, "now": NOW}
    request["special"] = json.dumps(special)
    for key in ("tools", "documents"):
        if kwargs.get(key) is not None:
            request[key] = json.dumps(kwargs[key])
    request["arguments"] = json.dumps(arguments) if arguments else None
    found = probe.ask(**request)
    if found.get("tags") and not re.search(r"\{%[-+]?\s*generation\b", source):  # ours, which change no byte
        expected.pop("spans", None)
    if "error" in expected and "error" in found:
        report.numRaised += 1
    elif "error" in found and mayRefuse and found["kind"] == "unsupported":
        report.numRefused += 1
    elif "error" in expected or "error" in found or {key: found[key] for key in expected} != expected:
        report.wrong(f"{where}\n   messages {json.dumps(messages, ensure_ascii=False)[:300]}", expected, found)
    else:
        report.numEqual += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=["language", "templates", "tokenizers"])
    parser.add_argument("--probe", required=True)
    parser.add_argument("--checkout", required=True)
    arguments = parser.parse_args()
    try:
        import transformers
        from transformers.utils import chat_template_utils
    except ImportError as error:
        print(f"skipped: {error} (packaging/setup installs it)")
        sys.exit(SKIPPED)
    transformers.logging.set_verbosity_error()
    chat_template_utils.datetime = FrozenDatetime
    probe = Probe(arguments.probe)
    report = Report()
    if arguments.part == "language":
        import reference_language

        reference_language.compare(report, probe)
    elif arguments.part == "templates":
        import reference_templates

        reference_templates.compare(report, probe, fixtures(arguments.checkout))
    else:
        import reference_tokenizers

        reference_tokenizers.compare(report, probe, fixtures(arguments.checkout))
    sys.exit(report.finish(arguments.part))


if __name__ == "__main__":
    sys.modules["reference"] = sys.modules["__main__"]
    main()
