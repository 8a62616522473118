# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that one process trains, followed and told what to do by others.

usage: follow_test.py ROUNDPIPE
"""
import fcntl
import json
import os
import re
import signal
import stat
import subprocess
import time
import unittest

from command_line import INVALID_INPUT, NO_ANSWER, ROUNDPIPE, STOPPED, CommandLine, call

LIMIT = 120  # seconds


class Following(CommandLine):
    def begin(self, *more):
        """A run without end, once it can be followed."""
        process = subprocess.Popen([ROUNDPIPE, "train", "--model", str(self.model), "--data", str(self.data), "--out",
                                    str(self.out), "--devices", "cpu", "--max-steps", "1000000", *more],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.monotonic() + LIMIT
        while not (self.out / "run.socket").exists() or not (self.out / "metrics.jsonl").exists():
            self.assertLess(time.monotonic(), end)
            self.assertIsNone(process.poll(), "it has ended")
            time.sleep(0.02)
        return process

    def say(self, *words):
        done = call(*words, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_it_is_seen_from_its_first_step_and_stopped_as_by_ctrl_c(self):
        run = self.begin()
        with (self.work / "watched").open("w") as output:
            watcher = subprocess.Popen([ROUNDPIPE, "attach", str(self.out)], stdout=output)
        with (self.work / "seen").open("w") as output:
            leaver = subprocess.Popen([ROUNDPIPE, "attach", str(self.out)], stdout=output)
            while "step 1/" not in (self.work / "seen").read_text():
                self.assertIsNone(leaver.poll())
                time.sleep(0.05)
            leaver.send_signal(signal.SIGINT)
            self.assertEqual(leaver.wait(LIMIT), 0)
        seen = (self.work / "seen").read_text()
        self.assertIn("step 1/1000000", seen)
        self.assertIn("goes on", seen)
        self.assertIsNone(run.poll())
        self.assertRegex(self.say("stop", self.out), r"stopped after step \d+")
        _, errors = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, STOPPED, errors)
        self.assertEqual(watcher.wait(LIMIT), STOPPED)
        seen = (self.work / "watched").read_text()
        last = json.loads((self.out / "metrics.jsonl").read_text().splitlines()[-1])["step"]
        self.assertIn(f"step {last}/", seen)
        self.assertTrue(seen.rstrip().endswith("stopped"), seen[-200:])
        self.assertTrue((self.out / "adapter/adapter_model.safetensors").exists())
        self.assertFalse((self.out / "run.socket").exists())

    def test_it_is_told_what_the_window_would_tell_it(self):
        run = self.begin()
        self.assertIn("paused", self.say("tell", self.out, "pause"))
        self.assertRegex(self.say("tell", self.out, "pause"), r"paused already, after step \d+\.\n$")
        steps = len((self.out / "metrics.jsonl").read_text().splitlines())
        self.assertIn("checkpoints/last", self.say("tell", self.out, "save"))
        answers = self.say("tell", self.out, "sample", "--prompt", "One?", "--prompt", "Two?")
        self.assertEqual(re.findall(r"tuned  \| (\w+)", answers), ["One", "Two"])
        self.assertRegex(self.say("tell", self.out, "validate"), r"validation loss \d")
        self.assertEqual(len((self.out / "metrics.jsonl").read_text().splitlines()), steps)
        self.assertRegex(self.say("tell", self.out, "resume"), r"It goes on after step \d+\.\n$")
        self.assertIn("was not paused", self.say("tell", self.out, "resume"))
        self.say("stop", self.out, "--discard")
        run.communicate(timeout=LIMIT)
        self.assertFalse((self.out / "adapter").exists())

    def test_what_cannot_be_followed_is_refused_in_words(self):
        self.refused(call("attach", self.out), INVALID_INPUT, "There is no run")
        self.assertEqual(self.train().returncode, 0)
        self.refused(call("stop", self.out), INVALID_INPUT, "No run is under way")
        self.refused(call("tell", self.out, "sample"), INVALID_INPUT, "none was given", "Add --prompt TEXT")
        self.refused(call("tell", self.out, "pause", "--prompt", "Hi"), INVALID_INPUT, "'pause' takes no --prompt", "Leave it out")
        self.assertEqual(call("tell", self.out, "fly").returncode, INVALID_INPUT)
        self.refused(call("host", stdin=subprocess.DEVNULL), INVALID_INPUT, "no socket")
        self.assertNotIn("host", call("--help").stdout.split("Subcommands")[-1].split())

    def test_one_that_stands_still_is_said_to_and_need_not_be_waited_for(self):
        run = self.begin()
        self.say("tell", self.out, "pause")
        run.send_signal(signal.SIGSTOP)
        done = call("stop", self.out, "--wait", 1, timeout=LIMIT)
        self.refused(done, NO_ANSWER, "does not answer; it last advanced at ", f"its process {run.pid} is stopped",
                     f"`kill -CONT {run.pid}`", "It was told nothing.")
        looks = subprocess.Popen([ROUNDPIPE, "attach", str(self.out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(looks.stderr.close)
        began = time.monotonic()
        self.assertRegex(looks.stderr.readline(), rf"warning: The run 'run' does not answer; .* its process {run.pid} is stopped[.]")
        self.assertLess(time.monotonic() - began, 5)
        quiet = subprocess.Popen([ROUNDPIPE, "attach", str(self.out), "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(quiet.stderr.close)
        self.assertIn("does not answer", quiet.stderr.readline())
        quiet.kill()
        quiet.wait()
        run.send_signal(signal.SIGCONT)
        looks.send_signal(signal.SIGINT)
        self.assertEqual((looks.wait(LIMIT), looks.stderr.read()), (0, ""))  # it was said once
        # It hears of the stop, and hangs before it can: until it goes on, whoever waits is told.
        waits = subprocess.Popen([ROUNDPIPE, "tell", str(self.out), "sample", *("--prompt", "Who?") * 2000],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(waits.stderr.close)
        time.sleep(3)  # it has heard how the run stands
        run.send_signal(signal.SIGSTOP)
        self.assertRegex(waits.stderr.readline(), r"warning: The run 'run' does not answer; it last advanced at \d\d:\d\d:\d\d, ")
        self.assertIsNone(waits.poll())
        waits.kill()
        waits.wait()
        run.kill()

    def test_a_reader_that_stops_holds_up_neither_a_run_nor_its_end(self):
        for words, code in (((), 0), (("stop",), STOPPED)):
            reader, writer = os.pipe()
            self.addCleanup(os.close, reader)
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 16384)  # less than is said
            out = self.work / f"unread{code}"
            run = subprocess.Popen([ROUNDPIPE, "train", "--model", str(self.model), "--data", str(self.data), "--out", str(out),
                                    "--devices", "cpu", "--max-steps", "1000000" if words else "300"], stdout=writer, stderr=writer)
            os.close(writer)
            self.addCleanup(run.wait)
            self.addCleanup(run.kill)
            if words:
                end = time.monotonic() + LIMIT
                while not (out / "metrics.jsonl").exists() or len((out / "metrics.jsonl").read_text().splitlines()) < 200:
                    self.assertLess(time.monotonic(), end)
                    time.sleep(0.1)
                run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(LIMIT), code)
            said = b""
            while b"step 1/" not in said and (more := os.read(reader, 4096)):
                said += more
            self.assertIn(b"step 1/", said)

    def test_the_socket_is_its_users_and_one_that_a_kill_left_is_replaced(self):
        run = self.begin()
        self.assertEqual(stat.S_IMODE(os.stat(self.out / "run.socket").st_mode), 0o600)
        run.kill()
        run.wait()
        self.assertTrue((self.out / "run.socket").exists())
        self.refused(call("attach", self.out), INVALID_INPUT, "No run is under way")
        run = self.begin("--resume")
        end = time.monotonic() + LIMIT
        while call("tell", self.out, "pause").returncode != 0:
            self.assertLess(time.monotonic(), end)
        self.say("stop", self.out)
        run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, STOPPED)


if __name__ == "__main__":
    unittest.main()
