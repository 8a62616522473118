# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe and the Hub: names of it where models and rows are named, and the cache that Hugging Face's tools share. Against the
stand-in of tests/hub on loopback."""
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.request

from command_line import INVALID_INPUT, NO_SPACE, ROUNDPIPE, STOPPED, CommandLine, call

STAND_IN = pathlib.Path(__file__).parent.parent / "hub/stand_in.py"
SECRET = "good"


class Hub(CommandLine):
    def setUp(self):
        super().setUp()
        self.root = self.work / "hub"
        shutil.copytree(self.original, self.root / "models/org/tiny")
        self.rows = (self.model / "rows.jsonl").read_text()
        (self.root / "models/org/tiny/rows.jsonl").unlink()
        rows = self.root / "datasets/org/rows"
        rows.mkdir(parents=True)
        (rows / "train.jsonl").write_text(self.rows)
        (rows / "test.jsonl").write_text(self.rows.splitlines(keepends=True)[0])
        (self.root / "found.json").write_text(json.dumps([{"id": "org/tiny", "downloads": 1234567, "gated": "auto"}]))
        self.server = subprocess.Popen([sys.executable, "-B", STAND_IN, self.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop_server)
        self.port = self.server.stdout.readline().split()[0]
        self.cache = self.work / "hf"
        for name in ("HF_HOME", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN", "HF_TOKEN_PATH"):
            os.environ.pop(name, None)
        os.environ.update(HF_ENDPOINT=self.endpoint(), HF_HUB_CACHE=str(self.cache), XDG_CONFIG_HOME=str(self.work / "config"),
                          HF_HOME=str(self.work / "hf-home"))

    def stop_server(self):
        self.server.stdin.close()
        self.server.terminate()
        self.server.wait()
        self.server.stdout.close()

    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def order(self, match, do, times=1, value=""):
        with urllib.request.urlopen(f"{self.endpoint()}/_order?match={match}&do={do}&times={times}&value={value}"):
            pass

    def asked(self):
        with urllib.request.urlopen(f"{self.endpoint()}/_asked") as answer:
            return json.load(answer)

    def done(self, *arguments, **options):
        result = call(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def snapshot(self):
        return pathlib.Path(self.done("hub", "fetch", "hf:org/tiny").stdout.strip())

    def test_a_run_begins_with_names_of_the_hub_and_goes_on_without_it(self):
        self.done("train", "--model", "hf:org/tiny", "--data", "hf:org/rows", "--validation-data", "hf:org/rows:test", "--out",
                  self.out, "--devices", "cpu", "--max-steps", 2)
        spec = json.loads((self.out / "run.json").read_text())
        snapshot = self.snapshot()
        self.assertEqual(spec["model"]["path"], str(snapshot))
        [file] = spec["data"]["datasets"][0]["files"]
        self.assertTrue(file.endswith("/train.jsonl"), file)
        self.assertIn("/datasets--org--rows/snapshots/", file)
        self.assertTrue(spec["data"]["validation_file"].endswith("/test.jsonl"))
        before = len(self.asked())
        self.done("train", self.out / "run.json", "--resume", "--max-steps", 3)
        self.assertEqual(len(self.asked()), before, "the network is not needed any more")
        # A run file of one's own may name the Hub, too; the run's has what it became.
        mine = self.work / "mine.json"
        mine.write_text(json.dumps({"model": {"path": "hf:org/tiny"}, "data": {"files": ["hf:org/rows:train"]}}))
        self.done("train", mine, "--out", self.work / "second", "--devices", "cpu", "--max-steps", 1)
        self.assertEqual(json.loads((self.work / "second/run.json").read_text())["model"]["path"], str(snapshot))

    def test_names_stand_wherever_models_and_rows_do(self):
        self.assertIn("Qwen3", self.done("inspect", "hf:org/tiny", "--json").stdout)
        json.loads(self.done("plan", "--model", "hf:org/tiny", "--rig", "2xcpu,ram=16", "--json").stdout)
        json.loads(self.done("data", "inspect", "hf:org/rows", "--json").stdout)
        json.loads(self.done("data", "lens", "hf:org/rows:test", "--model", "hf:org/tiny", "--row", "1", "--json").stdout)
        self.done("generate", "--model", "hf:org/tiny", "--prompt", "Hi", "--max-new-tokens", "2", "--device", "cpu")
        asked = [path for _, path, _, _ in self.asked()]
        self.assertEqual(len([path for path in asked if "/resolve/" in path]), len(set(path for path in asked if "/resolve/" in path)))

    def test_nothing_goes_to_the_network_unasked(self):
        self.train()
        self.done("runs", "list")
        self.done("hub", "list")
        self.done("hub", "about")
        self.assertEqual(self.asked(), [])

    def test_the_token_is_not_shown(self):
        os.environ["HF_TOKEN"] = SECRET + "_but_unknown"
        for arguments in (["hub", "about"], ["hub", "fetch", "hf:org/tiny"], ["hub", "search", "tiny"], ["--verbose", "hub", "fetch", "hf:org/none"]):
            result = call(*arguments)
            self.assertNotIn(SECRET, result.stdout + result.stderr)
        self.assertIn("HF_TOKEN", self.done("hub", "about").stdout)

    def test_search_and_list(self):
        found = self.done("hub", "search", "ti", "ny").stdout
        for word in ("hf:org/tiny", "1.23 M", "gated"):
            self.assertIn(word, found)
        self.assertEqual(json.loads(self.done("hub", "search", "x", "--dataset", "--json").stdout)[0]["repository"], "org/tiny")
        self.assertIn("is empty", self.done("hub", "list").stdout)
        fetched = json.loads(self.done("hub", "fetch", "--dataset", "org/rows", "--json").stdout)
        self.assertEqual(fetched[0]["other_splits"], ["test"])
        [listed] = json.loads(self.done("hub", "list", "--json").stdout)
        self.assertEqual((listed["repository"], listed["kind"], listed["bytes"]), ("org/rows", "dataset", len(self.rows.encode())))

    def test_offline_is_kept_until_it_is_taken_back(self):
        snapshot = self.snapshot()
        self.assertIn("not used", self.done("hub", "about", "--offline", "on").stdout)
        before = len(self.asked())
        self.assertEqual(self.snapshot(), snapshot)
        self.refused(call("hub", "fetch", "hf:org/other"), INVALID_INPUT, "hf:org/other", "is not in the cache")
        self.refused(call("hub", "search", "x"), INVALID_INPUT, "hub.json")
        self.assertEqual(len(self.asked()), before)
        self.done("hub", "about", "--offline", "off")
        self.done("hub", "search", "x")

    def test_wrong_names_and_full_disks_have_their_exit_codes(self):
        self.refused(call("train", "--model", "hf:../etc", "--data", self.data), INVALID_INPUT, "is no name of the Hub")
        self.refused(call("inspect", "hf:org/none"), INVALID_INPUT, "has no model 'org/none'")
        self.refused(call("data", "inspect", "hf:org/rows:dev"), INVALID_INPUT, "no split 'dev'", "test, train")
        (self.root / "models/org/tiny/.hub.json").write_text(json.dumps({"entries": [
            {"type": "file", "path": "model-x.safetensors", "size": 1, "oid": "e" * 40, "lfs": {"oid": "e" * 64, "size": 10**15}}]}))
        self.refused(call("inspect", "hf:org/tiny"), NO_SPACE, "HF_HUB_CACHE")

    def test_a_hub_that_does_not_answer_is_spoken_of_at_once(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            os.environ["HF_ENDPOINT"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
            process = subprocess.Popen([ROUNDPIPE, "data", "inspect", "hf:org/rows"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.assertTrue(select.select([process.stderr], [], [], 10)[0], "nothing was said for ten seconds")
            self.assertEqual(process.stderr.readline(), "org/rows: asking the Hub\n")

    def test_ctrl_c_keeps_what_came(self):
        weights = self.root / "models/org/tiny/model.safetensors"
        self.order("bytes:/large/", "slow", 1, "0.05")
        process = subprocess.Popen([ROUNDPIPE, "hub", "fetch", "hf:org/tiny"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        blobs = self.cache / "models--org--tiny/blobs"
        deadline = time.monotonic() + 30
        while not any(path.stat().st_size > 4096 for path in blobs.glob("?" * 64 + ".incomplete")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, STOPPED)
        self.assertEqual((self.snapshot() / "model.safetensors").read_bytes(), weights.read_bytes())
        ranges = [asked[3] for asked in self.asked() if "/large/" in asked[1]]
        self.assertEqual(len(ranges), 2)
        self.assertTrue(ranges[1].startswith("bytes="), ranges)

    def test_two_processes_fetch_once(self):
        self.order("bytes:/large/", "slow", 1, "0.002")
        both = [subprocess.Popen([ROUNDPIPE, "hub", "fetch", "hf:org/tiny"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(2)]
        folders = {process.communicate(timeout=120)[0] for process in both}
        self.assertEqual([process.returncode for process in both], [0, 0])
        self.assertEqual(len(folders), 1)
        self.assertEqual(len([1 for asked in self.asked() if "/large/" in asked[1]]), 1)

    def test_hugging_faces_tools_find_what_was_fetched(self):
        snapshot = self.snapshot()
        self.done("hub", "fetch", "--dataset", "hf:org/rows")
        os.environ["HF_HUB_OFFLINE"] = "1"
        said = subprocess.run([sys.executable, "-c", """
import huggingface_hub
print(huggingface_hub.hf_hub_download("org/tiny", "model.safetensors"))
print(huggingface_hub.snapshot_download("org/tiny"))
print(huggingface_hub.hf_hub_download("org/rows", "train.jsonl", repo_type="dataset"))
found = huggingface_hub.scan_cache_dir()
print(sorted(repo.repo_id for repo in found.repos), list(found.warnings))
"""], capture_output=True, text=True)
        del os.environ["HF_HUB_OFFLINE"]
        self.assertEqual(said.returncode, 0, said.stderr)
        lines = said.stdout.splitlines()
        self.assertEqual(lines[:2], [str(snapshot / "model.safetensors"), str(snapshot)])
        self.assertEqual(lines[3], "['org/rows', 'org/tiny'] []")

    def test_what_hugging_faces_tools_fetched_is_not_fetched_again(self):
        commit = self.snapshot().name
        shutil.rmtree(self.cache)
        snapshot = self.cache / "models--org--tiny/snapshots" / commit
        for path in (self.root / "models/org/tiny").iterdir():  # as they leave it: blobs by hash, relative links, a ref
            data = path.read_bytes()
            name = subprocess.run(["sha256sum" if path.suffix == ".safetensors" else "git", *([] if path.suffix == ".safetensors" else ["hash-object"]), path],
                                  capture_output=True, text=True, check=True).stdout.split()[0]
            blob = self.cache / "models--org--tiny/blobs" / name
            blob.parent.mkdir(parents=True, exist_ok=True)
            blob.write_bytes(data)
            snapshot.mkdir(parents=True, exist_ok=True)
            (snapshot / path.name).symlink_to(f"../../blobs/{name}")
        before = len(self.asked())
        self.assertEqual(self.snapshot(), snapshot)
        self.assertTrue(all(path.startswith("/api/") for _, path, _, _ in self.asked()[before:]))


if __name__ == "__main__":
    unittest.main()
