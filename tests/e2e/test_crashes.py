"""Several processes at once, and processes killed in the middle: nothing is lost for good."""
import json
import os
import signal
import subprocess
import time
import unittest

from lectern_process import VaultTest


class BigVault(VaultTest):
    NOTES = 3000

    def setUp(self):
        super().setUp()
        words = "turbine anchor ledger orchard violin lantern harbour furnace meadow compass".split()
        for i in range(self.NOTES):
            body = " ".join(words[(i * 7 + k * (i % 5 + 1)) % len(words)] for k in range(120))
            self.note(f"f{i % 20}/n{i}.md", f"# Note {i}\n\nMarker m{i}x. {body}.\n\n[[n{i + 1}]]\n")

    def start(self, *arguments):
        return subprocess.Popen(self.command(*arguments, *self.place(), "--json"),
                                env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process, timeout=120):
        out, err = process.communicate(timeout=timeout)
        return process.returncode, json.loads(out) if out else None, err

    def check_whole(self):
        report = self.index_now()
        notes = report["notes"]
        self.assertEqual(notes["added"] + notes["unchanged"] + notes["changed"], self.NOTES)
        self.assertEqual(notes["failed"], 0)
        self.assertEqual(self.run_json("status").json["notes"], self.NOTES)
        for i in (0, self.NOTES // 2, self.NOTES - 1):
            self.assertEqual(self.paths(f"m{i}x", "-n", "1"), [f"f{i % 20}/n{i}.md"])


class Killed(BigVault):
    def test_kill_in_the_middle_of_indexing(self):
        for after in (0.02, 0.1, 0.2, 0.3, 0.5, 0.8):
            process = self.start("index")
            time.sleep(after)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            # Whatever stands now can be read, or there is none yet; never a damaged one.
            reply = self.run_raw("search", "turbine", *self.place(), "--json")
            self.check_json(reply)
            if reply.code == 2:
                self.assertEqual(reply.json["error"]["code"], "no_index")
        self.check_whole()

    def test_kill_in_the_middle_of_a_full_run_over_an_index(self):
        self.index_now()
        for after in (0.05, 0.2, 0.4):
            process = self.start("index", "--full")
            time.sleep(after)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            reply = self.run_raw("status", *self.place(), "--json")
            self.check_json(reply)
        self.check_whole()

    def test_interrupt_ends_soon_and_keeps_what_is_done(self):
        process = self.start("index")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        code, value, err = self.finish(process)
        # Done before the signal came, or stopped: an error by contract, or the signal itself.
        self.assertIn(code, (0, 2, 130, -signal.SIGINT), err)
        self.assertNotIn(b"terminate called", err)
        self.check_whole()


class Together(BigVault):
    def test_two_runs_at_once(self):
        first, second = self.start("index"), self.start("index")
        results = [self.finish(first), self.finish(second)]
        for code, value, err in results:
            if code == 2:
                self.assertEqual(value["error"]["code"], "busy")
            else:
                self.assertEqual(code, 0, err)
        self.assertIn(0, [code for code, _, _ in results])
        self.check_whole()

    def test_searches_while_indexing(self):
        self.index_now()
        for i in range(0, self.NOTES, 3):
            self.note(f"f{i % 20}/n{i}.md", f"# Note {i}\n\nMarker m{i}x. turbine rewritten.\n")
        writer = self.start("index")
        seen = 0
        while writer.poll() is None or seen < 5:
            reply = self.run_json("search", "m1x", "-n", "1")
            self.assertEqual(reply.code, 0, reply.out)
            self.assertEqual(reply.json["results"][0]["path"], "f1/n1.md")
            seen += 1
        code, value, err = self.finish(writer)
        self.assertEqual(code, 0, err)
        self.assertEqual(value["notes"]["changed"], self.NOTES // 3)
        self.check_whole()

    def test_notes_that_change_while_they_are_read(self):
        stop = time.monotonic() + 3
        process = self.start("index")
        n = 0
        while process.poll() is None and time.monotonic() < stop:
            self.note(f"f{n % 20}/n{n % self.NOTES}.md", f"# Note {n}\n\nMarker m{n % self.NOTES}x.\n")
            n += 37
        code, value, err = self.finish(process)
        self.assertEqual(code, 0, err)
        self.check_whole()


class Damaged(VaultTest):
    """An index or a configuration file that is not what it should be."""

    def setUp(self):
        super().setUp()
        for i in range(50):
            self.note(f"n{i}.md", f"The anchor number {i} is bronze.\n")

    COMMANDS = (["search", "anchor"], ["ask", "What is the anchor made of?"], ["status"],
                ["links", "n1.md"], ["get", "n1.md"])

    def check_refused(self, path, content):
        """A file that is not ours: every command says so and the file stays as it was."""
        for command in self.COMMANDS + (["index"], ["index", "--full"]):
            with self.subTest(command=command):
                reply = self.run_raw(*command, *self.place(), "--json")
                self.check_json(reply)
                if command[0] != "get":  # reading a note's lines may not need the index
                    self.assertEqual(reply.code, 2, reply.out)
                self.assertEqual(path.read_bytes(), content, "a foreign file was overwritten")

    def test_foreign_files_as_index(self):
        import sqlite3
        self.index.parent.mkdir(parents=True)
        database = self.folder / "other.db"
        connection = sqlite3.connect(database)
        connection.execute("CREATE TABLE precious(x)")
        connection.commit()
        connection.close()
        for content in (b"these are my tax records\n" * 100, os.urandom(5000),
                        database.read_bytes(), b"SQLite format 3\x00"):
            with self.subTest(content=content[:16]):
                self.index.write_bytes(content)
                self.check_refused(self.index, content)
        self.index.unlink()
        self.index_now()

    def test_index_path_is_a_folder(self):
        self.index.mkdir(parents=True)
        for command in self.COMMANDS + (["index"],):
            reply = self.run_raw(*command, *self.place(), "--json")
            self.check_json(reply)

    def test_empty_file_as_index(self):
        self.index.parent.mkdir(parents=True)
        self.index.write_bytes(b"")
        reply = self.run_raw("search", "anchor", *self.place(), "--json")
        self.check_json(reply, 2)
        reply = self.run_raw("index", *self.place(), "--json")
        self.check_json(reply)

    def test_damaged_index_never_crashes_and_can_be_rebuilt(self):
        import random
        self.index_now()
        good = self.index.read_bytes()
        source = random.Random(3)
        for kind in ("truncated", "flipped", "zeroed", "noise in the middle"):
            for round_ in range(6):
                for rest in self.index.parent.glob(self.index.name + "-*"):
                    rest.unlink()
                data = bytearray(good)
                if kind == "truncated":
                    data = data[: source.randrange(1, len(data))]
                elif kind == "flipped":
                    for _ in range(20):
                        data[source.randrange(100, len(data))] ^= 1 << source.randrange(8)
                elif kind == "zeroed":
                    at = source.randrange(100, len(data) - 4096)
                    data[at:at + 4096] = bytes(4096)
                else:
                    at = source.randrange(100, len(data) - 2000)
                    data[at:at + 2000] = source.randbytes(2000)
                self.index.write_bytes(bytes(data))
                for command in self.COMMANDS + (["index"],):
                    with self.subTest(kind=kind, round=round_, command=command[0]):
                        reply = self.run_raw(*command, *self.place(), "--json")
                        self.check_json(reply)
        # The way out that the error names must work.
        for rest in self.index.parent.glob(self.index.name + "*"):
            rest.unlink()
        self.index_now()
        self.assertEqual(len(self.paths("anchor", "-n", "50")), 50)

    def test_index_in_a_folder_that_cannot_be_made(self):
        (self.folder / "file").write_text("x")
        reply = self.run_raw("index", "--vault", self.vault, "--index", self.folder / "file/index.db",
                             "--json")
        self.check_json(reply, 2)

    def test_config_files(self):
        self.index_now()
        config = self.folder / "config.yaml"
        broken = {
            b"keyword:\n  k1: 1.0\n  k2: 3\n": ("k1",),
            b"serch:\n  limit: 3\n": ("search",),
            b"keyword:\n  k1: lots\n": ("k1",),
            b"a: [1, 2\n": (),
            b"\xff\xfe\x00\x01" * 100: (),
            b"- just\n- a list\n": (),
            b"a: &x [*x]\n": (),
            b"[" * 10000: (),
            b"keyword: {k1: {k1: 1}}\n": (),
        }
        for content, names in broken.items():
            with self.subTest(content=content[:30]):
                config.write_bytes(content)
                reply = self.run_raw("search", "anchor", *self.place(), "--config", config, "--json")
                self.check_json(reply, 2)
                error = json.dumps(reply.json["error"])
                self.assertEqual(reply.json["error"]["code"], "config")
                self.assertIn("config.yaml", error)
                for name in names:
                    self.assertIn(name, error)
        config.write_text("search:\n  limit: 3\n")
        self.assertEqual(len(self.paths("anchor", "--config", config)), 3)
        reply = self.run_raw("search", "anchor", *self.place(), "--config", self.folder / "none.yaml",
                             "--json")
        self.check_json(reply, 2)

    def test_config_is_a_folder_or_a_pipe(self):
        self.index_now()
        os.mkfifo(self.folder / "pipe.yaml")
        for path in (self.folder, self.folder / "pipe.yaml"):
            reply = self.run_raw("search", "anchor", *self.place(), "--config", path, "--json")
            self.check_json(reply, 2)

    def test_environment_values(self):
        self.index_now()
        for name, value in (("LECTERN_KEYWORD_K1", "lots"), ("LECTERN_SEARCH_LIMIT", "-4"),
                            ("LECTERN_KEYWORD_K1", "nan"), ("LECTERN_CHUNK_MAX_TOKENS", "0")):
            with self.subTest(name=name, value=value):
                reply = self.run_raw("search", "anchor", *self.place(), "--json",
                                     env=dict(self.environment, **{name: value}))
                self.check_json(reply, 2)
                self.assertIn(name, json.dumps(reply.json["error"]))


if __name__ == "__main__":
    unittest.main()
