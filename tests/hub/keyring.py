# SPDX-License-Identifier: GPL-3.0-or-later
"""The token out of a keyring, with GNOME's on a bus of its own and nothing of the user's.

    keyring.py TST_HUB

Returns 77 where a program that it needs is not installed.
"""

import os
import shutil
import subprocess
import sys
import tempfile

NEEDED = ("dbus-run-session", "gnome-keyring-daemon", "secret-tool")


def inside(tests):
    """On the bus: an unlocked keyring with one item, then the tests."""
    daemon = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    daemon.stdin.write(b"a password")
    daemon.stdin.close()
    try:
        subprocess.run(["secret-tool", "store", "--label=Hugging Face", "protocol", "https", "server", "huggingface.co", "user", "me"],
                       input=b"hf_of_keyring", check=True, timeout=30)
        return subprocess.run([tests, "--gtest_filter=Keyring.*"], timeout=60).returncode
    finally:
        daemon.terminate()
        daemon.wait()


def main():
    if sys.argv[1] == "--inside":
        sys.exit(inside(sys.argv[2]))
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as home:
        os.mkdir(os.path.join(home, "run"), mode=0o700)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "XDG_RUNTIME_DIR": os.path.join(home, "run"),
                       "ROUNDPIPE_KEYRING_TEST": "1"}
        done = subprocess.run(["dbus-run-session", "--", sys.executable, "-B", __file__, "--inside", sys.argv[1]], env=environment)
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
