# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/: what set-up finds missing, says and advises. Stand-ins for apt-get and its kin play the machine; nothing
is installed and no network is used."""

import fcntl
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop())
CMAKE = sys.argv.pop()
PACKAGING = os.path.join(ROOT, "packaging")

NOTHING_INSTALLED = "exit 1"
ALL_INSTALLED = 'for name in "$@"; do case $name in -*) ;; *) echo "installed $name" ;; esac; done'


class Machine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cache = os.path.join(self.folder, "cache")
        self.tool("sudo", 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"')
        self.tool("apt-cache", "exit 0")
        self.tool("apt-get", "exit 0")
        self.tool("dpkg", "exit 0")
        self.tool("dpkg-query", NOTHING_INSTALLED)
        self.tool("cargo", "echo cargo 1.90.0")
        self.tool("rustc", "echo rustc 1.90.0")

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def tool(self, name, body):  # set-up looks in the cache's bin first
        os.chmod(self.write(f"cache/bin/{name}", f"#!/bin/bash\n{body}\n"), 0o755)

    def environment(self, **changes):
        return {"PATH": os.environ["PATH"], "HOME": self.folder, "ROUNDPIPE_CACHE": self.cache, **changes}

    def run_script(self, script, *arguments, **environment):
        return subprocess.run([os.path.join(PACKAGING, script), *arguments], env=self.environment(**environment), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)

    def advice(self, *arguments, **environment):
        run = self.run_script("setup", "--no-engine", "--yes", *arguments, **environment)
        self.assertEqual(run.returncode, 1, run.stdout)
        return run.stdout


class Setup(Machine):
    def test_lists_what_is_missing_with_sizes_and_installs_nothing(self):
        self.tool("apt-get", "echo \"'address' name 5000000 sum\"; echo \"'address' name 7000000 sum\"")
        run = self.run_script("setup", "--no-engine", "--list")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("13 MB to download with what they depend on", run.stdout)
        self.assertIn("qt6-base-dev", run.stdout)
        self.assertIn("from PyPI, 85 MB to download", run.stdout)
        self.assertRegex(run.stdout, r"pyarrow==\S+ +55 MB")  # what reads data files, in every build
        self.assertNotIn("torch", run.stdout)
        self.assertEqual(sorted(os.listdir(self.cache)), ["bin"])

    def test_engine_brings_libtorch_and_tests_bring_peft(self):
        self.tool("dpkg-query", ALL_INSTALLED)
        plain = self.run_script("setup", "--list").stdout
        self.assertIn("torch==2.11.0", plain)
        with_tests = self.run_script("setup", "--list", "--tests").stdout
        small, small_with_tests = (int(re.search(r"and (\d+) small", said)[1]) for said in (plain, with_tests))
        self.assertGreater(small_with_tests, small + 30)

    def test_headless_needs_no_qt(self):
        run = self.run_script("setup", "--no-engine", "--no-studio", "--list")
        self.assertNotIn("qt6", run.stdout)
        self.assertIn("g++", run.stdout)

    def test_builds_without_the_engine_need_rust_too(self):
        os.remove(os.path.join(self.cache, "bin", "cargo"))
        if shutil.which("cargo") or glob.glob("/usr/lib/rust-1.*"):
            self.skipTest("this machine has a Rust of its own")
        self.assertIn("Rust 1.85 or newer", self.run_script("setup", "--no-engine", "--list").stdout)
        self.assertIn("Install one, by rustup for example", self.advice())

    def test_apt_locked(self):
        self.tool("apt-get", 'echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (unattended-upgr)"; exit 100')
        said = self.advice()
        self.assertIn("held by process 7", said)
        self.assertIn("Wait until it has ended, then run this again", said)

    def test_no_network_for_apt(self):
        self.tool("apt-get", 'echo "E: Failed to fetch: Temporary failure resolving"; exit 100')
        self.assertIn("check the network", self.advice())

    def test_apt_would_remove_something(self):
        self.tool("apt-get", '[ "$1" = -qq ] || echo "E: Packages need to be removed but remove is disabled."; [ "$1" = -qq ]')
        self.assertIn("apt-get remove cargo rustc", self.advice())

    def test_disk_too_full_says_how_much(self):
        self.tool("dpkg-query", ALL_INSTALLED)
        self.tool("df", "echo Avail; echo '   100'")
        run = self.run_script("setup", "--yes", "--no-packages")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"needs about \d{4} MB and has +100 MB free")
        self.assertIn("ROUNDPIPE_CACHE", run.stdout)

    def test_unwritable_cache(self):
        self.write("file", "")
        said = self.advice(ROUNDPIPE_CACHE=os.path.join(self.folder, "file", "cache"), PATH=self.cache + "/bin:" + os.environ["PATH"])
        self.assertIn("Set ROUNDPIPE_CACHE to a folder that you may write to", said)

    def test_cache_in_a_folder_with_a_space(self):
        self.assertIn("space in its name", self.advice(ROUNDPIPE_CACHE=os.path.join(self.folder, "a b")))

    def test_unknown_option(self):
        self.assertIn("unknown option '--colour'", self.advice("--colour"))

    def test_second_set_up_waits_for_the_first(self):
        with open(self.write("cache/setup.lock", ""), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            second = subprocess.Popen([os.path.join(PACKAGING, "setup"), "--no-engine", "--yes"], env=self.environment(),
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            self.addCleanup(second.stdout.close)
            self.addCleanup(second.wait)
            self.addCleanup(second.kill)
            self.assertIn("Another set-up is running", second.stdout.readline())
            with self.assertRaises(subprocess.TimeoutExpired):
                second.wait(1)

    def test_neither_root_nor_allowed_to_sudo_names_the_command(self):
        self.tool("id", "echo 1000")
        self.tool("sudo", "exit 1")
        self.assertIn("apt-get install --no-install-recommends ca-certificates", self.advice())


class RunTime(Machine):
    """What an installed program asks for, with a Python that plays pip."""

    def setUp(self):
        super().setUp()
        for forbidden in ("apt-get", "sudo", "cargo"):
            self.tool(forbidden, 'echo "$0" >>"$HOME/forbidden"')
        self.pip("printf '  Downloading torch-2.whl (530.6 MB)\\nProgress 265300000 of 530600000\\nProgress 530600000 of 530600000\\n"
                 "Installing collected packages: torch\\n'")

    def pip(self, fetching):
        os.chmod(self.write("cache/python/bin/python", f"""#!/bin/bash
case "$*" in
-c*) ;;
*missing_wheels.py*) printf 'pip==26.3 2.0\\nnvidia-nvtx==13 0.1\\ntorch==2.11.0 530.6\\n' ;;
"-m pip --version") ;;
*"install --help") echo --resume-retries ;;
*install*torch*) {fetching} ;;
esac
"""), 0o755)

    def test_says_how_far_it_is_and_touches_nothing_else(self):
        run = self.run_script("setup", "--run-time", "--report", "--yes")
        self.assertEqual(run.returncode, 0, run.stdout)
        said = [line for line in run.stdout.splitlines() if line.startswith("@")]
        self.assertEqual(said, ["@missing 533 1066", "@progress 2 533", "@progress 2 533", "@progress 267 533", "@progress 532 533", "@progress 533 533"])
        self.assertIn("unpacking", run.stdout)
        self.assertEqual(sorted(os.listdir(os.path.join(self.cache, "python", ".sets"))), ["data.txt", "engine.txt", "pip.txt"])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "forbidden")))
        self.assertFalse(os.path.exists(os.path.join(self.cache, "cuda")))

    def test_only_lists_where_it_is_asked_to(self):
        run = self.run_script("setup", "--run-time", "--report", "--list")
        self.assertIn("@missing 533 1066", run.stdout)
        self.assertFalse(os.path.exists(os.path.join(self.cache, "python", ".sets")))

    def test_what_was_cut_off_is_not_recorded(self):
        self.pip("echo 'ERROR: NewConnectionError' >&2; exit 1")
        run = self.run_script("setup", "--run-time", "--report", "--yes")
        self.assertEqual(run.returncode, 1)
        self.assertIn("roundpipe: pip failed. The connection to PyPI broke or was never there", run.stdout)
        self.assertFalse(os.path.exists(os.path.join(self.cache, "python", ".sets", "engine.txt")))

    def test_a_disk_that_fills_up_is_named(self):
        """pip's own words cannot be written then; the space left says it. Half a wheel does not stay."""
        self.tool("df", 'echo Avail; [ -e "$HOME/began" ] && echo 50 || echo 90000')
        self.pip('touch "$HOME/began" "$TMPDIR/half-a-wheel"; exit 1')
        run = self.run_script("setup", "--run-time", "--report", "--yes")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"the disk is too full: .* needs about 16\d\d MB and has 50 MB free")
        self.assertFalse(os.path.exists(os.path.join(self.cache, "tmp")))

    def test_a_file_that_was_changed_on_its_way_is_told(self):
        self.pip("echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.' >&2; exit 1")
        self.assertIn("damaged or changed on its way", self.run_script("setup", "--run-time", "--yes").stdout)

    def test_interrupted_it_leaves_no_half_of_a_wheel(self):
        self.pip('touch "$TMPDIR/half-a-wheel"; kill -TERM $(cat "$HOME/setup"); sleep 0.1')
        run = subprocess.run(["bash", "-c", 'echo $$ >"$HOME/setup"; exec "$0" --run-time --yes', os.path.join(PACKAGING, "setup")], env=self.environment(),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual(run.returncode, 130, run.stdout)
        self.assertIn("what is complete is kept", run.stdout)
        self.assertFalse(os.path.exists(os.path.join(self.cache, "tmp")))

    def test_people_see_no_lines_for_programs(self):
        self.assertNotIn("@", self.run_script("setup", "--run-time", "--yes").stdout)

    def test_a_cache_with_a_space_in_its_name_does(self):
        spaced = os.path.join(self.folder, "my cache")
        os.rename(self.cache, spaced)
        self.assertEqual(self.run_script("setup", "--run-time", "--yes", ROUNDPIPE_CACHE=spaced).returncode, 0)


class MissingWheels(Machine):
    def setUp(self):
        super().setUp()
        self.requirements = self.write("wanted.txt", "# comment\nSome-Lib==1.0   # 12.5\n")
        os.makedirs(os.path.join(self.folder, "site"))

    def install(self, version="1.0", size=5, installer=True):
        self.write("site/some_lib/code.py", "12345")
        self.write(f"site/some_lib-{version}.dist-info/RECORD", f"some_lib/code.py,sha256=x,{size}\nsome_lib-{version}.dist-info/RECORD,,\n")
        if installer:
            self.write(f"site/some_lib-{version}.dist-info/INSTALLER", "pip")

    def missing(self):
        code = "import missing_wheels, sys; missing_wheels.main(sys.argv[1:2], sys.argv[2])"
        return subprocess.run([sys.executable, "-B", "-c", code, self.requirements, os.path.join(self.folder, "site")],
                              cwd=PACKAGING, capture_output=True, text=True, check=True).stdout

    def test_absent(self):
        self.assertEqual(self.missing(), "Some-Lib==1.0 12.5\n")

    def test_whole(self):
        self.install()
        self.assertEqual(self.missing(), "")

    def test_other_version(self):
        self.install(version="0.9")
        self.assertEqual(self.missing(), "Some-Lib==1.0 12.5\n")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "site", "some_lib-0.9.dist-info")))

    def test_cut_short_is_missing_and_forgotten(self):
        for cut in ({"size": 6}, {"installer": False}):
            with self.subTest(cut):
                self.install(**cut)
                self.assertEqual(self.missing(), "Some-Lib==1.0 12.5\n")
                self.assertFalse(os.path.exists(os.path.join(self.folder, "site", "some_lib-1.0.dist-info")))


class GpuReport(Machine):
    def report(self):
        return self.run_script("gpu_report", self.folder).stdout

    def driver(self, version):
        self.write("proc/driver/nvidia/version", f"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {version}  Release Build\nGCC version: 12.2.0\n")

    def test_no_driver(self):
        self.assertIn("no GPU driver found: the Studio will train on CPU workers", self.report())

    def test_recent_driver(self):
        self.driver("580.65.06")
        self.assertIn("driver 580.65.06 found: the Studio will train on the GPUs", self.report())

    def test_old_driver_is_told_from_none(self):
        self.driver("550.54.15")
        self.assertIn("too old: 550.54.15 is installed, and CUDA 13 needs 580 or newer", self.report())

    def test_card_without_driver(self):
        self.write("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n")
        self.write("sys/bus/pci/devices/0000:01:00.0/class", "0x030000\n")
        self.assertIn("its driver is not loaded", self.report())


class OneBuildFolder(Machine):
    """run and test in a checkout whose set-up finds nothing missing. CMake writes down its options, as it does in its
    cache; ninja only says its targets."""

    def setUp(self):
        super().setUp()
        shutil.copytree(PACKAGING, os.path.join(self.folder, "checkout", "packaging"))
        os.chmod(self.write("checkout/packaging/setup", "#!/bin/bash\necho set up: \"$@\"\n"), 0o755)
        for program in ("app/cli/roundpipe", "app/studio/roundpipe-studio"):
            os.chmod(self.write(f"checkout/build/release/{program}", f"#!/bin/bash\necho started {program}\n"), 0o755)
        for tools in ("python/.sets/build.txt", "python/.sets/data.txt", "python/.sets/engine.txt", "cuda.made-from"):
            self.write(f"cache/{tools}", "version 1\n")
        self.cmake = 'echo "$@" >>../cmake-calls\nfor o in "$@"; do case $o in -D*=*) o=${o#-D}; echo "${o%=*}:BOOL=${o#*=}" ;; esac; done >build/release/CMakeCache.txt'
        self.tool("cmake", self.cmake)
        self.tool("ninja", 'echo "ninja $@"')
        self.tool("ctest", 'echo "ctest $@"')

    def command(self, script, *arguments, fails=False, **environment):
        """What the command said, and the options that it gave CMake (None: not configured)."""
        calls = os.path.join(self.folder, "cmake-calls")
        if os.path.exists(calls):
            os.remove(calls)
        run = self.run_script(os.path.join(self.folder, "checkout", "packaging", script), *arguments, QT_QPA_PLATFORM="offscreen", **environment)
        self.assertEqual(run.returncode != 0, fails, run.stdout)
        self.assertNotIn("stopped at line", run.stdout)
        if not os.path.exists(calls):
            return run.stdout, None
        with open(calls, encoding="utf-8") as file:
            return run.stdout, file.read().split()

    def test_each_builds_what_it_opens(self):
        for arguments, targets, opened in ((["run", "--cli"], "roundpipe", "app/cli/roundpipe"), (["run"], "roundpipe-studio", "app/studio/roundpipe-studio")):
            said, _ = self.command(*arguments)
            self.assertRegex(said, rf"ninja -C \S+/checkout/build/release -j \d+ {targets}\n")
            self.assertIn(f"started {opened}", said)
        said, _ = self.command("run", "--build-only")
        self.assertRegex(said, r"ninja .* roundpipe-studio roundpipe\n")
        self.assertNotIn("started", said)
        said, _ = self.command("test", "-R", "tst_base")
        self.assertRegex(said, r"ninja -C \S+/checkout/build/release -j \d+\n")
        self.assertIn("-R tst_base", said)

    def test_parts_only_grow(self):
        said, options = self.command("run", "--cli")
        self.assertIn("set up: --no-studio", said)
        self.assertEqual(options, ["--preset", "release", "-DROUNDPIPE_STUDIO=OFF", "-DROUNDPIPE_TESTS=OFF", "--fresh"])
        self.assertIsNone(self.command("run", "--cli")[1])
        self.assertEqual(self.command("run")[1], ["--preset", "release", "-DROUNDPIPE_STUDIO=ON", "-DROUNDPIPE_TESTS=OFF"])
        self.assertEqual(self.command("test")[1], ["--preset", "release", "-DROUNDPIPE_STUDIO=ON", "-DROUNDPIPE_TESTS=ON"])
        for arguments in (["run", "--cli"], ["run"], ["run", "--build-only"], ["test"]):
            self.assertIsNone(self.command(*arguments)[1], arguments)

    def test_all_goes_through_the_other_builds_and_says_what_took_how_long(self):
        said, options = self.command("test", "--all")
        with open(os.path.join(ROOT, "CMakePresets.json"), encoding="utf-8") as file:
            known = json.load(file)
        self.assertRegex(said, r"ctest -j \d+ --test-dir \S+/build/release --output-on-failure")
        for preset in ("headless", "no-engine", "asan", "tsan"):
            for kind in ("configurePresets", "buildPresets", "testPresets"):
                self.assertIn(preset, [entry["name"] for entry in known[kind]])
            self.assertRegex(" ".join(options), rf"--preset {preset} --build --preset {preset} -j \d+")
            self.assertRegex(said, rf"ctest -j \d+ --preset {preset}\n")
            self.assertRegex(said, rf" 0 min \d\d s  {preset}: tests\n")

    def test_what_takes_too_long_for_all_is_asked_for_alone(self):
        said, options = self.command("test", "--long")
        self.assertRegex(" ".join(options), r"^--preset asan --build --preset asan-long -j \d+ --preset tsan --build --preset tsan-long -j \d+$")
        self.assertRegex(said, r"(?s)ctest -j \d+ --preset asan-long\n.*ctest -j \d+ --preset tsan-long\n")

    def test_a_part_that_fails_ends_it_and_the_times_are_said(self):
        self.tool("ctest", 'echo "ctest $@"; [[ $* != *asan* ]]')
        said, _ = self.command("test", "--all", fails=True)
        self.assertIn("tests of asan failed", said)
        self.assertIn("no-engine: tests", said)
        self.assertNotIn("--preset tsan", said)
        self.assertIn("takes no options", self.command("test", "--all", "-R", "tst_base", fails=True)[0])

    def test_other_tools_configure_anew_and_keep_the_parts(self):
        self.command("test")
        self.write("cache/cuda.made-from", "version 2\n")
        self.assertEqual(self.command("run", "--cli")[1],
                         ["--preset", "release", "-DROUNDPIPE_STUDIO=ON", "-DROUNDPIPE_TESTS=ON", "--fresh"])

    def test_a_part_that_could_not_be_configured_is_not_kept(self):
        self.command("run", "--cli")
        self.tool("cmake", self.cmake + "; echo Qt was not found; exit 1")
        said, _ = self.command("run", fails=True)
        self.assertIn("Qt was not found", said)
        self.assertIn("CMake could not configure", said)
        self.tool("cmake", self.cmake)
        self.assertIn("-DROUNDPIPE_STUDIO=OFF", self.command("run", "--cli")[1])


class CMakeMachine(Machine):
    def cmake(self, module, code, **environment):
        """What code says that uses a module of packaging/cmake."""
        script = self.write("say.cmake", f'set(ROUNDPIPE_CACHE "{self.cache}")\ninclude("{PACKAGING}/cmake/{module}.cmake")\n{code}\nmessage("${{found}}")\n')
        environment = {"PATH": f"{self.cache}/bin:{os.environ['PATH']}", "HOME": self.folder, **environment}
        return subprocess.run([CMAKE, "-P", script], env=environment, capture_output=True, text=True, check=True).stderr.strip()


class GpuCode(CMakeMachine):
    def architectures(self, gpus, said_by_smi=0):
        self.tool("nvidia-smi", f"printf '{gpus}'; exit {said_by_smi}")
        self.tool("nvcc", "printf 'compute_75\\ncompute_80\\ncompute_86\\ncompute_120\\n'")
        return self.cmake("roundpipe_gpu", "roundpipe_gpu_architectures(found nvcc)")

    def test_each_kind_of_gpu_once(self):
        self.assertEqual(self.architectures("8.6\\n8.6\\n"), "86")
        self.assertEqual(self.architectures("12.0\\n8.6\\n12.0\\n"), "120;86")

    def test_none_seen_takes_what_every_supported_gpu_runs(self):
        self.assertEqual(self.architectures("No devices were found\\n"), "80")
        self.assertEqual(self.architectures("NVML library version: 580.65\\n", said_by_smi=18), "80")

    def test_too_old_and_too_new_for_the_compiler(self):
        self.assertEqual(self.architectures("7.5\\n8.6\\n13.0\\n"), "86")
        self.assertEqual(self.architectures("13.0\\n"), "80")


class CargoHome(CMakeMachine):
    def home_reads(self, name, **environment):
        for _ in range(2):  # as often as CMake configures
            found = self.cmake("roundpipe_cargo", "roundpipe_cargo_home(found)", **environment)
        self.assertEqual(found, os.path.join(self.cache, "cargo"))
        with open(os.path.join(found, name), encoding="utf-8") as file:
            return file.read()

    def test_the_users_settings_count(self):
        self.write(".cargo/config.toml", "mirror")
        self.write(".cargo/credentials.toml", "token")
        self.assertEqual(self.home_reads("config.toml"), "mirror")
        self.assertEqual(self.home_reads("credentials.toml"), "token")
        self.write("elsewhere/config.toml", "another mirror")
        self.assertEqual(self.home_reads("config.toml", CARGO_HOME=os.path.join(self.folder, "elsewhere")), "another mirror")

    def test_a_home_in_the_cache_keeps_its_own(self):
        self.write("cache/cargo/config.toml", "mirror")
        self.assertEqual(self.home_reads("config.toml", CARGO_HOME=os.path.join(self.cache, "cargo")), "mirror")

    def test_settings_may_come_later(self):
        with self.assertRaises(FileNotFoundError):
            self.home_reads("config.toml")
        self.write(".cargo/config.toml", "mirror")
        with open(os.path.join(self.cache, "cargo", "config.toml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mirror")


class Lint(Machine):
    def test_a_hook_is_a_link_to_it(self):
        hook = os.path.join(self.folder, "pre-commit")
        os.symlink(os.path.join(PACKAGING, "lint"), hook)
        run = subprocess.run([hook, "colour"], env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn("roundpipe: unknown guard 'colour'", run.stderr)


class Run(Machine):
    def test_without_a_display_names_the_command_line(self):
        run = self.run_script("run")
        self.assertEqual(run.returncode, 1)
        self.assertIn("packaging/run --cli", run.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
