# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe serve: OpenAI's own client, and clients that do everything wrong. On loopback alone.

usage: serve_test.py ROUNDPIPE [unittest options]
"""
import concurrent.futures
import errno
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from safetensors.torch import load_file, save_file

import openai
import tiny_models

from command_line import INVALID_INPUT, IO, ROUNDPIPE, call

KEY = "a-long-secret"
QUESTION = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "den?"}]


def start(*options, env=None):
    server = subprocess.Popen([str(part) for part in (ROUNDPIPE, "serve", "--device", "cpu", "--port", 0, *options)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | (env or {}))
    line = server.stdout.readline()
    found = re.search(r"http://[\d.]+:(\d+)/v1", line)
    if not found:
        raise RuntimeError(line + server.communicate()[1])
    return server, int(found[1])


def stop(server):
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
    if not server.stdout.closed:
        server.communicate()


def make_long(model):
    """Its answers are long: none of its tokens ends them."""
    config = json.loads((model / "config.json").read_text())
    config.update(max_position_embeddings=60000, eos_token_id=None, rope_scaling=None,
                  rope_parameters={"rope_type": "default", "rope_theta": 10000.0})
    (model / "config.json").write_text(json.dumps(config))
    (model / "generation_config.json").unlink(missing_ok=True)
    tokenizer = json.loads((model / "tokenizer_config.json").read_text())
    tokenizer.pop("eos_token")
    (model / "tokenizer_config.json").write_text(json.dumps(tokenizer))


class Served(unittest.TestCase):
    """One server for the tests of a class; `options` and `model` are the class's, {work} in them is its folder."""
    options = ()
    long_answers = False
    broken = False
    tuned = False

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        os.environ["XDG_CACHE_HOME"] = str(cls.work / "cache")
        os.environ["XDG_DATA_HOME"] = str(cls.work / "home")
        cls.model = tiny_models.make_model("qwen3", cls.work / "tiny")
        if cls.long_answers:
            make_long(cls.model)
        if cls.broken:
            tensors = load_file(cls.model / "model.safetensors")
            tensors["model.norm.weight"].fill_(float("nan"))
            save_file(tensors, cls.model / "model.safetensors", metadata={"format": "pt"})
        adapters = ()
        if cls.tuned:
            done = call("train", "--model", cls.model, "--data", cls.model / "rows.jsonl", "--out", cls.work / "polly", "--devices",
                        "cpu", "--max-steps", 2, "--learning-rate", "0.05", "--warmup-ratio", "0")
            assert done.returncode == 0, done.stderr
            adapters = ("--adapter", cls.work / "polly/adapter")
        cls.server, cls.port = start("--model", cls.model, *adapters, *(str(option).format(work=cls.work) for option in cls.options))

    @classmethod
    def tearDownClass(cls):
        stop(cls.server)
        cls.folder.cleanup()

    def client(self, key="none", **options):
        return openai.OpenAI(base_url=f"http://127.0.0.1:{self.port}/v1", api_key=key, max_retries=0, timeout=60, **options)

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, (json.loads(text) if text.startswith("{") else text), dict(answer.headers)

    def complete(self, body, **headers):
        raw = body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.ask("POST", "/v1/chat/completions", raw, **{"Content_Type": "application/json"} | headers)

    def is_alive(self):
        self.assertEqual(self.ask("GET", "/health")[:2], (200, {"status": "ok"}))
        self.assertIsNone(self.server.poll())

    def raw(self, data):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(data)
        return connection


class OfficialClient(Served):
    tuned = True
    options = ("--max-new-tokens", 40, "--adapter", "half={work}/polly/adapter,weight=0.5", "--sum", "both=polly=-1,half",
               "--sum", "none=polly,half=-1")

    def generated(self, *more):
        done = call("generate", "--model", self.model, "--device", "cpu", "--system", "Be brief.", "--prompt", "den?",
                    "--max-new-tokens", 12, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout[:-1]

    def test_lists_the_base_and_its_adapters(self):
        models = self.client().models
        self.assertEqual([model.id for model in models.list()], ["tiny", "polly", "half", "both", "none"])
        self.assertEqual(models.retrieve("polly").id, "polly")
        with self.assertRaises(openai.NotFoundError) as refused:
            models.retrieve("nobody")
        self.assertIn("tiny, polly", str(refused.exception))

    def test_answers_are_those_of_generate(self):
        adapter = ("--adapter", self.work / "polly/adapter")
        answers = {}
        for name, options in (("tiny", ()), ("polly", adapter), ("tiny", ())):
            done = self.client().chat.completions.create(model=name, messages=QUESTION, max_tokens=12)
            [choice] = done.choices
            answers[name] = choice.message.content
            self.assertEqual(choice.message.content, self.generated(*options))
            self.assertEqual((choice.message.role, done.model, done.object), ("assistant", name, "chat.completion"))
            self.assertEqual(done.usage.total_tokens, done.usage.prompt_tokens + done.usage.completion_tokens)
            self.assertIn(choice.finish_reason, ("stop", "length"))
        self.assertNotEqual(answers["tiny"], answers["polly"])

    def test_a_sum_of_adapters_answers_by_one_name(self):
        adapter = self.work / "polly/adapter"
        said = lambda name: self.client().chat.completions.create(model=name, messages=QUESTION, max_tokens=12).choices[0].message.content
        self.assertEqual(said("both"), self.generated("--adapter", f"{adapter},weight=-1", "--adapter", f"half={adapter},weight=0.5"))
        self.assertNotIn(said("both"), (said("polly"), said("half")))
        self.assertEqual(said("none"), said("tiny"))  # which takes away what it adds

    def test_a_stream_brings_the_same_in_pieces(self):
        create = self.client().chat.completions.create
        whole = create(model="polly", messages=QUESTION, max_completion_tokens=20, temperature=1, seed=-5)
        pieces = list(create(model="polly", messages=QUESTION, max_completion_tokens=20, temperature=1, seed=-5, stream=True,
                             stream_options={"include_usage": True}))
        self.assertEqual("".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices),
                         whole.choices[0].message.content)
        self.assertEqual(pieces[0].choices[0].delta.role, "assistant")
        self.assertEqual(pieces[-2].choices[0].finish_reason, whole.choices[0].finish_reason)
        self.assertEqual(pieces[-1].usage.completion_tokens, whole.usage.completion_tokens)
        self.assertEqual(len({piece.id for piece in pieces}), 1)
        self.assertGreater(len(pieces), 4)

    def test_draws_differ_unless_a_seed_is_named(self):
        create = self.client().chat.completions.create
        draw = lambda **more: create(model="tiny", messages=QUESTION, max_tokens=20, temperature=2, **more).choices[0].message.content
        self.assertGreater(len({draw() for _ in range(4)}), 1)
        self.assertEqual(draw(seed=5), draw(seed=5))

    def test_a_conversation_that_grows_is_read_once(self):
        create = self.client().chat.completions.create
        first = create(model="tiny", messages=QUESTION, max_tokens=12)
        more = QUESTION + [{"role": "assistant", "content": first.choices[0].message.content}, {"role": "user", "content": "cod?"}]
        create(model="polly", messages=QUESTION, max_tokens=3)  # another one in between
        second = create(model="tiny", messages=more, max_tokens=12)
        self.assertGreater(second.usage.prompt_tokens_details.cached_tokens, first.usage.prompt_tokens - 2)

    def test_probabilities_and_stop_texts(self):
        create = self.client().chat.completions.create
        done = create(model="tiny", messages=QUESTION, max_tokens=8, logprobs=True, top_logprobs=3)
        tokens = done.choices[0].logprobs.content
        self.assertEqual(len(tokens), done.usage.completion_tokens)
        for token in tokens:
            self.assertEqual(len(token.top_logprobs), 3)
            self.assertAlmostEqual(token.logprob, token.top_logprobs[0].logprob, msg="greedy takes the likeliest")
        pieces = list(create(model="tiny", messages=QUESTION, max_tokens=8, logprobs=True, top_logprobs=3, stream=True))
        streamed = [token for piece in pieces if piece.choices and piece.choices[0].logprobs for token in piece.choices[0].logprobs.content]
        self.assertEqual([token.logprob for token in streamed], [token.logprob for token in tokens])
        text = create(model="tiny", messages=QUESTION, max_tokens=20).choices[0].message.content
        for stop_text in (text[3:6], [text[5:9], "never"]):
            found = create(model="tiny", messages=QUESTION, max_tokens=20, stop=stop_text).choices[0]
            first = stop_text if isinstance(stop_text, str) else stop_text[0]
            self.assertEqual((found.message.content, found.finish_reason), (text[:text.index(first)], "stop"))

    def test_content_in_parts_is_one_text(self):
        create = self.client().chat.completions.create
        parts = [QUESTION[0], {"role": "user", "content": [{"type": "text", "text": "de"}, {"type": "text", "text": "n?"}]}]
        self.assertEqual(create(model="tiny", messages=parts, max_tokens=9).choices[0].message.content,
                         create(model="tiny", messages=QUESTION, max_tokens=9).choices[0].message.content)

    def test_what_is_asked_wrongly_is_said_by_its_field(self):
        good = {"model": "tiny", "messages": QUESTION}
        for change, words in (({"model": None}, "'model'"), ({"messages": []}, "'messages'"), ({"messages": [{"content": "x"}]}, "messages[0]"),
                              ({"temperature": 500}, "temperature"), ({"temperature": "hot"}, "temperature"), ({"top_p": 1.5}, "top_p"),
                              ({"max_tokens": 0}, "max_tokens"), ({"max_tokens": 1.5}, "max_tokens"), ({"n": 2}, "'n'"), ({"stop": [""]}, "stop"),
                              ({"stop": 3}, "stop"), ({"tools": [{"type": "function"}]}, "tools"), ({"stream": "yes"}, "stream"),
                              ({"top_logprobs": 2}, "logprobs"), ({"presence_penalty": 1}, "presence_penalty"), ({"logit_bias": {"1": 2}}, "logit_bias"),
                              ({"response_format": {"type": "json_object"}}, "response_format"), ({"stream_options": 1}, "stream_options"),
                              ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages[0].content"),
                              ({"messages": [{"role": "user", "content": "long " * 400}]}, "no room for an answer")):
            status, body, _headers = self.complete(good | change)
            self.assertEqual((status, body["error"]["type"]), (400, "invalid_request_error"), change)
            self.assertIn(words, body["error"]["message"])
            if "messages" in change:  # known before anything was streamed
                self.assertEqual(self.complete(good | change | {"stream": True})[0], 400)
        with self.assertRaises(openai.NotFoundError):
            self.client().chat.completions.create(model="gpt", messages=QUESTION)
        self.is_alive()

    def test_broken_json_is_refused(self):
        for body in ("", "{", "[]", "nul", '{"model": "tiny", "messages": [{"role": "user", "content": "\\ud800"}]}', b'{"model": "\xff"}',
                     "[" * 100000, '{"a":' * 5000 + "1" + "}" * 5000):
            status, answer, _headers = self.complete(body)
            self.assertEqual(status, 400, body[:40])
            self.assertIn("JSON", answer["error"]["message"])
        self.is_alive()

    def test_other_ways_and_methods(self):
        self.assertEqual(self.ask("GET", "/v1/nothing")[0], 404)
        status, _body, headers = self.ask("GET", "/v1/chat/completions")
        self.assertEqual((status, headers["Allow"]), (405, "POST"))
        self.assertEqual(self.ask("POST", "/health", "{}")[0], 405)
        for path in ("/health", "/v1/models", "/v1/models/polly"):
            status, body, headers = self.ask("HEAD", path)
            self.assertEqual((status, body, headers["Content-Length"]), (200, "", self.ask("GET", path)[2]["Content-Length"]))
        self.assertEqual(self.ask("HEAD", "/v1/chat/completions")[0], 405)

    def test_pages_of_a_browser_get_nothing(self):
        body = {"model": "tiny", "messages": QUESTION}
        for kind in ("text/plain", "application/jsonx", "application/json-patch+json", ""):
            self.assertEqual(self.complete(body, Content_Type=kind)[0], 415, kind)
        for kind in ("Application/JSON", "application/json; charset=utf-8", "application/json ;a=b"):
            self.assertEqual(self.complete(body | {"max_tokens": 1}, Content_Type=kind)[0], 200, kind)
        self.assertEqual(self.complete(body, Host="evil.example")[0], 403)
        self.assertEqual(self.ask("GET", "/v1/models", Host="127.0.0.1.evil.example:80")[0], 403)
        self.assertEqual(self.ask("GET", "/v1/models", Host="localhost:8080")[0], 200)

    def test_what_comes_is_no_http(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00" + os.urandom(200), b"hello\r\n\r\n", b"GET " + b"a" * 100000 + b" HTTP/1.1\r\n\r\n"):
            try:
                with self.raw(data) as connection:
                    connection.shutdown(socket.SHUT_WR)
                    self.assertNotIn(b" 200 ", connection.recv(4096))
            except OSError as error:  # the server hung up first
                self.assertIn(error.errno, (errno.ECONNRESET, errno.ENOTCONN, errno.EPIPE))
        self.is_alive()


class Told(Served):
    options = ("--verbose",)

    def test_what_goes_on_is_said_and_what_is_said_is_not(self):
        secret = "no-word-of-this"
        asked = QUESTION + [{"role": "assistant", "content": secret}, {"role": "user", "content": "cod?"}]
        for streams in (False, True):
            status, _body, _headers = self.complete({"model": "tiny", "messages": asked, "max_tokens": 2, "stream": streams})
            self.assertEqual(status, 200)
        self.complete({"model": "nobody", "messages": asked})
        self.ask("GET", "/v1/%1b[31m" + "long" * 100)
        self.server.send_signal(signal.SIGTERM)
        said = self.server.communicate(timeout=60)[1]
        for line in (r"POST /v1/chat/completions \(\d+ bytes\): 200\n", r"POST /v1/chat/completions \(\d+ bytes\): 200, as a stream\n",
                     r"POST /v1/chat/completions \(\d+ bytes\): 404\n", r"GET /v1/\?\[31mlong[a-z]+\.\.\. \(0 bytes\): 404\n"):
            self.assertRegex(said, line)
        self.assertEqual(len(re.findall(r"chatcmpl-\w+ 'tiny': \d+ tokens read, \d+ of them known; 2 written; [\d.]+ \+ [\d.]+ s; limit\n", said)), 2, said)
        self.assertNotIn(secret, said)


class Keys(Served):
    def setUp(self):
        self.is_alive()  # /health asks for no key

    @classmethod
    def setUpClass(cls):
        cls.key_folder = tempfile.TemporaryDirectory()
        file = pathlib.Path(cls.key_folder.name) / "key"
        file.write_text(KEY + "\n")
        cls.options = ("--key-file", file)
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.key_folder.cleanup()

    def test_a_wrong_key_gets_nothing(self):
        for key in ("wrong", KEY[:-1], KEY + "x", KEY.upper()):
            with self.assertRaises(openai.AuthenticationError):
                self.client(key).models.list()
            with self.assertRaises(openai.AuthenticationError):
                self.client(key).chat.completions.create(model="tiny", messages=QUESTION)
        status, body, headers = self.ask("GET", "/v1/models")
        self.assertEqual((status, body["error"]["code"], headers["WWW-Authenticate"]), (401, "invalid_api_key", "Bearer"))
        self.assertEqual([model.id for model in self.client(KEY).models.list()], ["tiny"])

    def test_it_is_asked_before_a_body_is_read(self):
        head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
        with self.raw(head) as connection:
            self.assertIn(b" 401 ", connection.recv(4096))


class Faults(Served):
    long_answers = True
    options = ("--context", 50000, "--max-new-tokens", 40000, "--max-waiting", 2, "--max-body", 1)

    def long_stream(self, **more):
        body = json.dumps({"model": "tiny", "messages": QUESTION, "stream": True, "temperature": 1} | more).encode()
        return self.raw(b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def assert_free(self):
        """Nothing is being answered any more, so a short answer comes soon."""
        begin = time.monotonic()
        done = self.client().chat.completions.create(model="tiny", messages=QUESTION, max_tokens=3)
        self.assertEqual(done.usage.completion_tokens, 3)
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_client_that_leaves_in_the_middle_of_a_stream_ends_its_answer(self):
        connection = self.long_stream()
        received = b""
        while received.count(b"data: ") < 3:
            received += connection.recv(4096)
        connection.close()
        self.assert_free()

    def test_a_client_that_leaves_while_it_waits_for_a_whole_answer_ends_it(self):
        connection = self.long_stream(stream=False)
        time.sleep(1)
        connection.close()
        self.assert_free()

    def test_requests_wait_in_a_queue_that_is_bounded(self):
        running = self.long_stream()
        received = b""
        while b"data: " not in received:
            received += running.recv(4096)
        waiting = [self.long_stream(), self.long_stream()]
        time.sleep(1)
        status, body, headers = self.complete({"model": "tiny", "messages": QUESTION})
        self.assertEqual((status, body["error"]["type"]), (429, "rate_limit_error"))
        self.assertIn("Retry-After", headers)
        self.is_alive()
        for connection in (running, *waiting):
            connection.close()
        self.assert_free()

    def test_several_clients_at_once_are_all_answered(self):
        def one(number):
            return self.complete({"model": "tiny", "messages": [{"role": "user", "content": f"Number {number}?"}], "max_tokens": 5})[0]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            self.assertEqual(set(pool.map(one, range(12))), {200})

    def test_a_huge_body_is_refused_before_and_while_it_comes(self):
        self.assertEqual(self.complete("x" * ((1 << 20) + 1))[0], 413)
        head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        with self.raw(head + b"Content-Length: 100000000000\r\n\r\n") as connection:
            self.assertIn(b" 413 ", connection.recv(4096))
        with self.raw(head + b"Transfer-Encoding: chunked\r\n\r\n") as connection:
            for _ in range(40):  # less than the four times that are passed over
                connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            connection.sendall(b"0\r\n\r\n")
            self.assertIn(b" 413 ", connection.recv(4096))
        self.is_alive()

    def test_a_client_that_sends_slowly_is_cut_off(self):
        connection = self.raw(b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n")
        begin = time.monotonic()
        with self.assertRaises(OSError):
            while time.monotonic() - begin < 60:
                connection.sendall(b"X-More: 1\r\n")
                time.sleep(0.5)
                self.is_alive()
        self.assertGreater(time.monotonic() - begin, 20)
        connection.close()

    def test_it_stops_at_once_while_it_answers(self):
        connection = self.long_stream()
        connection.recv(4096)
        type(self).server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(30), 0)
        received = b""
        while piece := connection.recv(65536):
            received += piece
        self.assertIn(b"the server stops", received)
        connection.close()
        type(self).server.communicate()
        type(self).server, type(self).port = start("--model", self.model, *self.options)


class Broken(Served):
    broken = True

    def test_a_model_that_computes_no_numbers_is_the_servers_fault(self):
        for streams in (False, True):
            status, body, _headers = self.complete({"model": "tiny", "messages": QUESTION, "logprobs": True, "stream": streams})
            self.assertIn("computes no numbers", str(body))
            self.assertIn("server_error", str(body))
            if not streams:
                self.assertEqual(status, 501)
        self.is_alive()


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = tiny_models.make_model("llama", pathlib.Path(cls.folder.name) / "tiny")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def refused(self, code, words, *options):
        done = call("serve", "--model", self.model, "--device", "cpu", *options, timeout=120)
        self.assertEqual((done.returncode, words in done.stderr), (code, True), done.stdout + done.stderr)

    def test_beyond_loopback_a_key_is_needed(self):
        self.refused(INVALID_INPUT, "no key is asked for", "--host", "0.0.0.0", "--port", 0)
        self.refused(INVALID_INPUT, "no key is asked for", "--host", "::", "--port", 0)
        self.refused(INVALID_INPUT, "too short", "--key", "short", "--port", 0)
        self.refused(IO, "Cannot", "--key-file", "nowhere/key")
        for word, said in (("both", "names no sum"), ("=polly", "names no sum"), ("both=", "names no sum"), ("both=polly,polly=2", "'polly' twice"),
                           ("both=molly", "There are: polly"), ("both=polly=x", "'x' is no number"), ("both=polly=1e9", "no strength"),
                           ("polly=polly", "Two models have the name 'polly'")):
            self.refused(INVALID_INPUT, said, "--adapter", "polly=nowhere", "--sum", word, "--port", 0)
        self.refused(INVALID_INPUT, "both given", "--key-file", "nowhere/key", "--key", KEY, "--port", 0)

    def test_addresses_and_ports_that_cannot_be_had(self):
        self.refused(INVALID_INPUT, "no address", "--host", "not an address")
        self.refused(INVALID_INPUT, "192.0.2.1", "--host", "192.0.2.1", "--key", KEY)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.refused(IO, "--port", "--port", taken.getsockname()[1])

    def test_the_key_may_come_from_the_environment(self):
        server, port = start("--model", self.model, env={"ROUNDPIPE_SERVE_KEY": KEY})
        try:
            client = openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="other-secret", max_retries=0)
            with self.assertRaises(openai.AuthenticationError):
                client.models.list()
            self.assertEqual([model.id for model in client.with_options(api_key=KEY).models.list()], ["tiny"])
        finally:
            stop(server)



if __name__ == "__main__":
    unittest.main()
