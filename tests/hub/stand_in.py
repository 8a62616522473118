# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the Hub on loopback, with faults on order.

    stand_in.py FOLDER

FOLDER/models/OWNER/NAME/… and FOLDER/datasets/OWNER/NAME/… are its repositories, FOLDER/found.json what every search finds.
Prints two ports and serves until its standard input ends: the first is the Hub, the second another host, which large files
are redirected to, as the Hub does. Large are *.safetensors and *.parquet. A repository's `.hub.json` says what is special about
it: "gated" or "private" (only the token "good" may read), "entries" (put into its list of files as they are).

Orders, on the Hub's port: /_order?match=TEXT&do=WHAT&times=N&value=V for the next N answers to paths with TEXT in them;
/_asked, a JSON list of [port, path, authorization, range] of all questions so far.
"""

import hashlib
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

ROOT = sys.argv[1]
PAGE = 3  # files on a page of a list: few, so that there are several
LOCK = threading.Lock()
ORDERS, ASKED = [], []


def content(path):
    with open(path, "rb") as file:
        return file.read()


def git_name(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def is_large(path):
    return path.endswith((".safetensors", ".parquet"))


class Repository:
    def __init__(self, kind, name):
        self.kind, self.name, self.folder = kind, name, os.path.join(ROOT, kind, name)
        about = os.path.join(self.folder, ".hub.json")
        self.special = json.loads(content(about)) if os.path.exists(about) else {}
        self.paths = sorted(os.path.relpath(os.path.join(parent, name), self.folder)
                            for parent, _, names in os.walk(self.folder) for name in names if name != ".hub.json")
        names = "".join(path + git_name(content(os.path.join(self.folder, path))) for path in self.paths)
        self.commit = hashlib.sha1(names.encode()).hexdigest()

    def entries(self):
        for path in self.paths:
            data = content(os.path.join(self.folder, path))
            entry = {"type": "file", "path": path, "size": len(data), "oid": git_name(data)}
            if is_large(path):
                entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
            yield entry
        yield {"type": "directory", "path": "folder", "size": 0, "oid": "0" * 40}
        yield from self.special.get("entries", [])


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def as_json(self, value, headers=()):
        self.reply(200, json.dumps(value).encode(), [("Content-Type", "application/json"), *headers])

    def ordered(self, path):
        """What was ordered for this path, if anything still is."""
        with LOCK:
            for order in ORDERS:
                if order["match"] in path and order["times"] > 0:
                    order["times"] -= 1
                    return order["do"], order["value"]
        return "", ""

    def file(self, data):
        """The bytes, or what was ordered instead."""
        do, value = self.ordered("bytes:" + self.path)
        if do == "wrong":
            data = bytes([data[0] ^ 1]) + data[1:]
        first = 0
        asked = self.headers.get("Range", "")
        if asked and do != "no-range":
            first = int(asked.removeprefix("bytes=").rstrip("-"))
            if first >= len(data) or do == "unsatisfiable":
                return self.reply(416, headers=[("Content-Range", f"bytes */{len(data)}")])
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first + (1 if do == 'shifted' else 0)}-{len(data) - 1}/{len(data)}")
        rest = data[first:]
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        if do == "cut":
            self.wfile.write(rest[:int(value)])
            self.wfile.flush()
            self.close_connection = True
            return None
        if do == "slow":  # value: seconds between pieces of 1 KiB
            for begin in range(0, len(rest), 1024):
                self.wfile.write(rest[begin:begin + 1024])
                self.wfile.flush()
                time.sleep(float(value))
            return None
        self.wfile.write(rest)
        return None

    def may_read(self, repository):
        """Whether the token does; else the refusal that the Hub has for it is sent."""
        token = self.headers.get("Authorization", "")
        if token and token not in ("Bearer good", "Bearer stranger"):
            self.reply(401, headers=[("X-Error-Message", "Invalid credentials in Authorization header")])
        elif repository.special.get("private") and token != "Bearer good":
            self.reply(401 if not token else 404, headers=[("X-Error-Code", "RepoNotFound")])
        else:
            return True
        return False

    def do_GET(self):
        port = self.server.server_address[1]
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/_order":
            with LOCK:
                ORDERS.append({"match": query["match"], "do": query["do"], "times": int(query.get("times", 1)),
                               "value": query.get("value", "")})
            return self.as_json({})
        if url.path == "/_asked":
            with LOCK:
                return self.as_json(ASKED)
        with LOCK:
            ASKED.append([port, self.path, self.headers.get("Authorization", ""), self.headers.get("Range", "")])
        do, value = self.ordered(self.path)
        if do == "status":
            status, *more = value.split(",")
            return self.reply(int(status), b"{}", [tuple(pair.split("=", 1)) for pair in more])
        if do == "redirect":
            return self.reply(302, headers=[("Location", value)])
        if do == "hang-up":
            self.close_connection = True
            return self.connection.close()
        if do == "silence":
            return time.sleep(float(value))
        if do == "body":
            return self.reply(200, value.encode())
        return self.answer(urllib.parse.unquote(url.path).strip("/").split("/"), query)

    def answer(self, parts, query):
        if parts[0] == "large":  # on the other host: /large/KIND/OWNER/NAME/PATH
            return self.file(content(os.path.join(ROOT, *parts[1:])))
        if parts[0] == "api" and len(parts) == 2:
            return self.as_json(json.loads(content(os.path.join(ROOT, "found.json"))))
        if parts[0] == "api":
            repository = self.repository(parts[1], "/".join(parts[2:4]))
            return repository and self.about(repository, parts[4], "/".join(parts[5:]), query)
        kind = "datasets" if parts[0] == "datasets" else "models"
        parts = parts[1:] if kind == "datasets" else parts
        repository = self.repository(kind, "/".join(parts[:2]))
        if not repository:
            return None
        if repository.special.get("gated") and self.headers.get("Authorization", "") != "Bearer good":
            return self.reply(403 if self.headers.get("Authorization") else 401, headers=[
                ("X-Error-Code", "GatedRepo"), ("X-Error-Message", "Access is restricted, not for " +
                                                self.headers.get("Authorization", "nobody"))])
        path = "/".join(parts[4:])
        if path not in repository.paths:
            return self.reply(404, headers=[("X-Error-Code", "EntryNotFound")])
        if is_large(path):
            place = urllib.parse.quote(f"/large/{kind}/{repository.name}/{path}")
            return self.reply(302, headers=[("Location", f"http://127.0.0.1:{OTHER.server_address[1]}{place}?Signature=s3cret")])
        return self.file(content(os.path.join(repository.folder, path)))

    def repository(self, kind, name):
        if not os.path.isdir(os.path.join(ROOT, kind, name)):
            self.reply(404 if self.headers.get("Authorization") else 401, headers=[("X-Error-Code", "RepoNotFound")])
            return None
        repository = Repository(kind, name)
        return repository if self.may_read(repository) else None

    def about(self, repository, what, which, query):
        if which not in ("main", "v1", "refs/pr/1", repository.commit):
            return self.reply(404, headers=[("X-Error-Code", "RevisionNotFound")])
        if what == "revision":
            return self.as_json({"id": repository.name, "sha": repository.special.get("sha", repository.commit),
                                 "gated": repository.special.get("gated", False)})
        entries, begin = list(repository.entries()), int(query.get("cursor", 0))
        headers = []
        if begin + PAGE < len(entries):  # as a mirror's, which leads to the Hub itself
            headers = [("Link", f'<https://elsewhere.invalid/api?recursive=true&cursor={begin + PAGE}>; rel="next"')]
        return self.as_json(entries[begin:begin + PAGE], headers)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # who hangs up is what many tests are about
            super().handle_error(request, client_address)


HUB, OTHER = (Server(("127.0.0.1", 0), Answer) for _ in range(2))
for server in (HUB, OTHER):
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(HUB.server_address[1], OTHER.server_address[1], flush=True)
sys.stdin.read()
