"""Runs the real binary for the end-to-end tests: a vault and an index in a temporary folder,
an environment of its own, and the checks that hold for every call.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("LECTERN_BIN") or ROOT / "build/release/lectern")


def require_binary():
    if BINARY.is_file():
        return
    message = f"the lectern binary is not there: {BINARY} (cmake --build --preset release)"
    if os.environ.get("LECTERN_E2E_REQUIRED"):
        raise RuntimeError(message)
    raise unittest.SkipTest(message)


class Reply:
    """What a call gave: exit code, stdout and stderr as bytes, and stdout's JSON."""

    def __init__(self, process):
        self.code = process.returncode
        self.stdout = process.stdout
        self.stderr = process.stderr

    @property
    def out(self):
        return self.stdout.decode("utf-8")

    @property
    def err(self):
        return self.stderr.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.stdout.decode("utf-8"))


class VaultTest(unittest.TestCase):
    """A test with an empty vault. Every call runs with an empty home and no settings."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        require_binary()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lectern-e2e-"))
        self.addCleanup(self._remove)
        self.vault = self.folder / "Vault"
        self.vault.mkdir()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.index = self.folder / "data/index.db"
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
        }

    def _remove(self):
        for path, folders, _ in os.walk(self.folder):
            for name in folders:
                full = os.path.join(path, name)
                if not os.path.islink(full):
                    os.chmod(full, 0o700)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- the vault ----

    def note(self, path, text):
        full = self.vault / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return full

    def snapshot(self, folder=None):
        """Every file's bytes (hashed), mode and mtime, and every folder's mtime."""
        found = {}
        root = folder or self.vault
        for path, folders, files in os.walk(root):
            for name in folders + files:
                full = os.path.join(path, name)
                stat = os.lstat(full)
                content = b""
                if os.path.isfile(full) and not os.path.islink(full):
                    content = hashlib.sha256(pathlib.Path(full).read_bytes()).digest()
                found[os.path.relpath(full, root)] = (stat.st_mtime_ns, stat.st_mode, content)
        return found

    # ---- calls ----

    def command(self, *arguments):
        return [str(BINARY), *[str(a) if not isinstance(a, bytes) else a for a in arguments]]

    def place(self):
        return ["--vault", str(self.vault), "--index", str(self.index)]

    def run_raw(self, *arguments, cwd=None, timeout=120, **more):
        more.setdefault("env", self.environment)
        process = subprocess.run(
            self.command(*arguments), cwd=cwd or self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, **more)
        return Reply(process)

    def run_json(self, *arguments, code=None, **more):
        """With --json and this vault: stdout is one JSON object and nothing else."""
        reply = self.run_raw(*arguments, *self.place(), "--json", **more)
        self.check_json(reply, code)
        return reply

    def check_json(self, reply, code=None):
        self.assertIn(reply.code, (0, 1, 2), reply.err)
        value = reply.json
        self.assertIsInstance(value, dict)
        if reply.code == 2:
            self.check_error(value)
        elif "error" in value:
            self.fail(f"exit {reply.code} with an error object: {value}")
        if code is not None:
            self.assertEqual(reply.code, code, f"{reply.out}\n{reply.err}")

    def check_error(self, value):
        if value.get("abstain"):  # an abstention whose reason is an error
            return
        self.assertIn("error", value)
        self.assertEqual(set(value["error"]), {"code", "message", "hint"})
        self.assertTrue(value["error"]["message"])

    def index_now(self, *more, code=0):
        return self.run_json("index", *more, code=code).json

    def paths(self, query, *more):
        """Paths of a search's results, best first."""
        reply = self.run_json("search", query, *more)
        self.assertIn(reply.code, (0, 1), reply.out)
        return [result["path"] for result in reply.json["results"]]

    def one_line_error(self, reply):
        """Errors go to stderr as one line; stdout stays empty."""
        self.assertEqual(reply.code, 2, reply.out + reply.err)
        self.assertEqual(reply.stdout, b"")
        self.assertEqual(len(reply.err.strip().splitlines()), 1, reply.err)
        return reply.err
