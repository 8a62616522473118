# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs after cmake --install: they run from any prefix, find what comes with them there, and a desktop accepts
their files. usage: tst_installed.py CMAKE BUILD_FOLDER SOURCE_FOLDER"""

import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop())
BUILD = os.path.abspath(sys.argv.pop())
CMAKE = sys.argv.pop()
LIBRARIES = ("libroundpipe_engine_plugin.so", "libroundpipe_columnar.so")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def setUpModule():
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    Installed.folder = folder.name
    Installed.prefix = os.path.join(folder.name, "a prefix")
    subprocess.run([CMAKE, "--install", BUILD, "--prefix", Installed.prefix, "--strip"], check=True, stdout=subprocess.DEVNULL)


class Installed(unittest.TestCase):
    folder = None
    prefix = None

    def start(self, program, *arguments, **environment):
        """Without a display, in an empty home; the LibTorch of this machine is in sight unless ROUNDPIPE_CACHE says else."""
        home = os.path.join(self.folder, "home")
        os.makedirs(home, exist_ok=True)
        cache = os.environ.get("ROUNDPIPE_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "roundpipe")
        environment = {"PATH": os.environ["PATH"], "HOME": home, "ROUNDPIPE_CACHE": cache, "LC_ALL": "C.UTF-8", **environment}
        return subprocess.run([os.path.join(self.prefix, "bin", program), *arguments], env=environment, cwd=home, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)

    def watched(self, name):
        """Lets the dynamic linker write down what a program opens."""
        return {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": os.path.join(self.folder, name)}

    def assert_opened(self, name, library):
        """That of the prefix, not that of the build folder, which is there as well."""
        said = "".join(read(path) for path in glob.glob(os.path.join(self.folder, name + ".*")))
        started = {os.path.normpath(path) for path in re.findall(r"calling init: (.*)", said) if path.endswith(library)}
        self.assertEqual(started, {self.in_prefix("libexec/roundpipe", library)})

    def in_prefix(self, *path):
        return os.path.join(self.prefix, *path)


class CommandLine(Installed):
    def test_says_its_version(self):
        run = self.start("roundpipe", "--version")
        self.assertEqual((run.returncode, run.stdout), (0, "roundpipe 0.1.0\n"))

    def test_by_a_link_from_elsewhere(self):
        link = os.path.join(self.folder, "rp")
        os.symlink(self.in_prefix("bin", "roundpipe"), link)
        self.assertEqual(self.start(link, "--version").returncode, 0)

    def test_reads_rows(self):
        run = self.start("roundpipe", "data", "inspect", self.in_prefix("share/roundpipe/demo/data/instructions.jsonl"))
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("480", run.stdout)

    def test_reads_parquet_by_its_own_library(self):
        fixtures = os.environ.get("ROUNDPIPE_FIXTURES") or os.path.join(ROOT, "..", "shared", "fixtures")
        files = glob.glob(os.path.join(fixtures, "**", "*.parquet"), recursive=True)
        if not files:
            self.skipTest("the shared fixtures hold no Parquet file here")
        run = self.start("roundpipe", "data", "inspect", files[0], **self.watched("parquet"))
        self.assertIn(run.returncode, (0, 9), run.stdout)  # 9: it was read, and its rows are none to train on
        self.assertIn("Parquet", run.stdout)
        self.assert_opened("parquet", LIBRARIES[1])

    def test_trains_the_demo_and_finds_a_place_for_it(self):
        home = os.path.join(self.folder, "home of runs")
        run = self.start("roundpipe", "train", self.in_prefix("share/roundpipe/demo/run.json"), "--devices", "cpu", "--max-steps", "2",
                         OMP_NUM_THREADS="1", XDG_DATA_HOME=home)
        self.assertEqual(run.returncode, 0, run.stdout)
        adapter, = glob.glob(os.path.join(home, "roundpipe", "runs", "Polly the parrot-*", "adapter", "adapter_model.safetensors"))
        self.assertIn("results go to " + os.path.dirname(os.path.dirname(adapter)), run.stdout)
        self.assertIn("Polly the parrot", self.start("roundpipe", "runs", "list", XDG_DATA_HOME=home).stdout)

    def test_without_libtorch_says_what_to_do(self):
        empty = os.path.join(self.folder, "empty")
        run = self.start("roundpipe", "train", "--help", ROUNDPIPE_CACHE=empty)
        self.assertEqual(run.returncode, 3)
        self.assertIn("LibTorch is not in " + empty, run.stdout)
        self.assertIn("Run roundpipe-setup", run.stdout)

    def test_plans_without_libtorch(self):
        run = self.start("roundpipe", "plan", "--model", self.in_prefix("share/roundpipe/demo/model"), "--rig", "2x4090",
                         ROUNDPIPE_CACHE=os.path.join(self.folder, "empty"))
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_set_up_lists_and_asks(self):
        run = self.start("roundpipe-setup", "--list", ROUNDPIPE_CACHE=os.path.join(self.folder, "empty"))
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("torch==2.11.0", run.stdout)
        self.assertNotIn("qt6", run.stdout)  # nothing that only builds need
        self.assertNotIn("nvcc", run.stdout)


class Studio(Installed):
    def test_needs_no_display_to_speak(self):
        for option, said in (("--version", "roundpipe-studio 0.1.0"), ("--help", "RUN.json")):
            run = self.start("roundpipe-studio", option)
            self.assertEqual(run.returncode, 0, run.stdout)
            self.assertIn(said, run.stdout)

    def test_refuses_what_it_does_not_understand(self):
        for arguments, said in ((["--theme", "purple"], "--theme is 'purple', but should be system, light or dark"),
                                (["--size", "wide"], "--size is 'wide'"), (["--colour"], "colour")):
            run = self.start("roundpipe-studio", *arguments, QT_QPA_PLATFORM="offscreen")
            self.assertNotEqual(run.returncode, 0, run.stdout)
            self.assertIn(said, run.stdout)

    def test_opens_with_the_installed_demo_and_engine(self):
        picture = os.path.join(self.folder, "window.png")  # for which the run is over too soon
        run = self.start("roundpipe-studio", "--autostart", "--exit-when-done", "--screenshot", picture, "--after", "9999", self.short_run(),
                         QT_QPA_PLATFORM="offscreen", OMP_NUM_THREADS="1", **self.watched("studio"))
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertGreater(os.path.getsize(picture), 10_000)
        self.assert_opened("studio", LIBRARIES[0])
        self.assertTrue(glob.glob(os.path.join(self.folder, "home", "out", "**", "adapter_model.safetensors"), recursive=True), run.stdout)

    def test_starts_without_libtorch_and_fetches_nothing_unasked(self):
        cache = os.path.join(self.folder, "none")
        run = self.start("roundpipe-studio", "--exit-when-painted", QT_QPA_PLATFORM="offscreen", ROUNDPIPE_CACHE=cache)
        self.assertEqual(run.returncode, 0, run.stdout)
        run = self.start("roundpipe-studio", "--autostart", "--exit-when-done", self.short_run(), QT_QPA_PLATFORM="offscreen", ROUNDPIPE_CACHE=cache)
        self.assertEqual(run.returncode, 1, run.stdout)  # there is no engine to run it
        self.assertFalse(os.path.exists(cache))

    def short_run(self):
        path = os.path.join(self.folder, "home", "run.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        demo = self.in_prefix("share/roundpipe/demo")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""{{"model": {{"path": "{demo}/model"}}, "data": {{"files": ["{demo}/data/instructions.jsonl"]}},
              "duration": {{"max_steps": 2}}, "engine": {{"devices": ["cpu"]}}, "output": {{"folder": "out"}}}}""")
        return path


class Files(Installed):
    def test_no_library_knows_a_path_of_this_machine(self):
        for path in (*(f"libexec/roundpipe/{name}" for name in (*LIBRARIES, "roundpipe-engine")), "bin/roundpipe"):
            self.assertNotRegex(self.dynamic_section(path), "R(UN)?PATH", path)

    def test_what_starts_fast_is_linked_to_nothing_large(self):
        self.assertNotRegex(" ".join(self.needed("bin/roundpipe")), "torch|c10|cuda|cublas|cudnn")
        self.assertNotIn("cublas", " ".join(self.needed("libexec/roundpipe/roundpipe-engine")))

    def test_every_library_comes_with_the_distribution_or_by_set_up(self):
        """As the Debian package is made, which cannot be where one of them is in neither."""
        folders = re.search('SHLIBDEPS_PRIVATE_DIRS "([^"]*)"', read(os.path.join(BUILD, "CPackConfig.cmake"))).group(1).split(";")
        by_set_up = {os.path.basename(path) for folder in folders for path in glob.glob(os.path.join(folder, "*.so*"))}
        known = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
        for path in (*(f"libexec/roundpipe/{name}" for name in (*LIBRARIES, "roundpipe-engine")), "bin/roundpipe", "bin/roundpipe-studio"):
            needed = self.needed(path)
            self.assertTrue(needed, path)
            for library in needed:
                self.assertTrue(library in by_set_up or f"\t{library} " in known, f"{path}: {library}")

    def needed(self, path):  # not all of the section: its addresses may read like a name
        return re.findall(r"\(NEEDED\).*\[(.+)\]", self.dynamic_section(path))

    def dynamic_section(self, path):
        return subprocess.run(["readelf", "-d", self.in_prefix(path)], check=True, capture_output=True, text=True).stdout

    def test_resources_are_whole(self):
        for path in ("demo/run.json", "demo/model/model.safetensors", "manual/README.md", "pictures/roundpipe.svg", "screenshots/run.png", "packaging/setup", "packaging/requirements/engine.txt"):
            self.assertTrue(os.path.exists(self.in_prefix("share/roundpipe", path)), path)
        self.assertTrue(os.access(self.in_prefix("share/roundpipe/packaging/setup"), os.X_OK))

    def page(self, name):
        with gzip.open(self.in_prefix("share/man/man1", name + ".1.gz"), "rt", encoding="utf-8") as file:
            return file.read()

    def test_manual_pages_say_what_the_programs_say(self):
        for words, program in ((["roundpipe"], "roundpipe"), (["roundpipe", "train"], "roundpipe"), (["roundpipe", "data", "lens"], "roundpipe"),
                               (["roundpipe-studio"], "roundpipe-studio"), (["roundpipe-setup"], "roundpipe-setup")):
            said = self.start(program, *words[1:], "--help").stdout
            page = self.page("-".join(words)).replace("\\-", "-")
            self.assertIn(f'.SH NAME\n{"-".join(words)} - ', page)
            self.assertIn(f'.SH SYNOPSIS\n.B {" ".join(words)}\n', page)
            terms = "\n".join(re.findall(r"^\.B (.*)", page, re.MULTILINE))
            options = set(re.findall(r"^ +(?:-\w, ?)?(--[\w-]+)", said, re.MULTILINE))
            self.assertEqual({option for option in options if not re.search(re.escape(option) + r"\b", terms)}, set())
            self.assertGreater(len(options), 2)
            self.assertNotIn(self.folder, page.replace(self.prefix, ""))  # no path of the machine that made it
        self.assertIn(".B roundpipe-data(1)", self.page("roundpipe").replace("\\-", "-"))

    def test_manual_pages_are_read_without_a_warning(self):
        man = self.tool("man")
        for path in glob.glob(self.in_prefix("share/man/man1/*")):
            said = subprocess.run([man, "--warnings", "--local-file", path], env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}, check=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
            self.assertEqual(said, "", path)

    def tool(self, name):
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed (a package of the tests)")
        return path

    def checked_by(self, *command):
        run = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout)
        return run.stdout

    def test_desktop_entry(self):
        entry = self.in_prefix("share/applications/org.roundpipe.Studio.desktop")
        self.assertEqual(self.checked_by(self.tool("desktop-file-validate"), entry), "")
        for key, folder in (("Icon", "icons/hicolor/scalable/apps"),):
            name = next(line.split("=")[1] for line in read(entry).splitlines() if line.startswith(key + "="))
            self.assertTrue(os.path.exists(self.in_prefix("share", folder, name + ".svg")))

    def test_software_centre_entry(self):
        self.checked_by(self.tool("appstreamcli"), "validate", "--no-net", self.in_prefix("share/metainfo/org.roundpipe.Studio.metainfo.xml"))

    def test_type_of_projects(self):
        """Our files are ours and no other JSON is, in the same database that desktops use."""
        update = self.tool("update-mime-database")
        mime = os.path.join(self.folder, "mime")
        shutil.copytree("/usr/share/mime/packages", os.path.join(mime, "packages"))
        ours = self.in_prefix("share/mime/packages/org.roundpipe.Studio.mime.xml")
        shutil.copy(ours, os.path.join(mime, "packages"))
        self.checked_by(update, mime)
        globs = [line.split(":") for line in read(os.path.join(mime, "globs2")).splitlines() if not line.startswith("#")]
        self.assertEqual({pattern for _, kind, pattern, *_ in globs if "roundpipe" in kind}, {"run.json", "*.roundpipe.json"})
        self.assertIn(["application/json", "*.json"], [[kind, pattern] for _, kind, pattern, *_ in globs])


if __name__ == "__main__":
    unittest.main(verbosity=2)
