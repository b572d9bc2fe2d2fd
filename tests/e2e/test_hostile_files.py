"""Vaults with what no one should have in them, vaults that go away, vaults that are not ours to
write to: everything else still works, and nothing in the vault is ever touched.
"""
import os
import shutil
import socket
import unittest

from lectern_process import VaultTest

NOBODY = 65534  # root reads everything, so these tests run the binary as someone else


class SpecialFiles(VaultTest):
    def test_fifo_socket_and_folder_named_like_notes(self):
        self.note("Good.md", "The anchor is bronze.\n")
        os.mkfifo(self.vault / "Pipe.md")
        (self.vault / "Folder.md").mkdir()
        self.note("Folder.md/Inner.md", "The inner anchor is brass.\n")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        here = os.getcwd()
        os.chdir(self.vault)  # a socket's path is short
        try:
            listener.bind("Socket.md")
        finally:
            os.chdir(here)
        report = self.index_now()
        self.assertEqual(report["notes"]["added"], 2)
        self.assertEqual(set(self.paths("anchor")), {"Good.md", "Folder.md/Inner.md"})

    def test_file_replaced_by_fifo_after_the_index(self):
        path = self.note("Good.md", "The anchor is bronze.\n")
        self.note("Other.md", "The chain is iron.\n")
        self.index_now()
        path.unlink()
        os.mkfifo(path)
        for command in (["search", "anchor"], ["ask", "What is the anchor made of?"],
                        ["get", "Good.md"], ["index"]):
            with self.subTest(command=command[0]):
                self.run_json(*command)

    def test_unreadable_note_and_folder_keep_their_entries(self):
        someone = {}
        if os.geteuid() == 0:
            someone = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for path in (self.folder, self.vault, self.home):
                os.chown(path, NOBODY, NOBODY)
            try:
                self.run_raw("--version", **someone)
            except PermissionError:
                self.skipTest("the binary stands in a folder that only root may enter")
        note = self.note("Locked.md", "The anchor is bronze.\n")
        closed = self.note("Closed/Deep.md", "The chain is iron.\n").parent
        self.note("Open.md", "The rope is hemp.\n")
        self.index.parent.mkdir()
        if someone:
            for path in (note, closed, self.index.parent):
                os.chown(path, NOBODY, NOBODY)
        self.run_json("index", code=0, **someone)
        note.write_text("The anchor was changed.\n")
        note.chmod(0)
        closed.chmod(0)
        report = self.run_json("index", code=0, **someone).json
        self.assertEqual(report["notes"]["deleted"], 0)
        warned = {warning["path"].rstrip("/") for warning in report["warnings"]}
        self.assertIn("Locked.md", warned)
        self.assertTrue(any(path.startswith("Closed") for path in warned), warned)
        self.assertEqual(self.run_json("status", code=0, **someone).json["notes"], 3)

    def test_symbolic_link_loops(self):
        self.note("A/Real.md", "The anchor is bronze.\n")
        (self.vault / "A/loop").symlink_to("..")
        (self.vault / "self.md").symlink_to("self.md")
        (self.vault / "ping").symlink_to("pong")
        (self.vault / "pong").symlink_to("ping")
        (self.vault / "out.md").symlink_to("/etc/hostname")
        report = self.index_now()
        self.assertEqual(report["notes"]["added"], 1)
        self.assertEqual(self.paths("anchor"), ["A/Real.md"])

    def test_names_of_any_bytes(self):
        odd = [b"new\nline.md", b"quote\".md", b"\xff\xfe.md", b"-n.md", b" lead.md", b"tab\t.md",
               b"a" * 250 + b".md", "emoji\U0001f600.md".encode(), b"back\\slash.md", b"%2e.md"]
        made = 0
        for i, name in enumerate(odd):
            try:
                with open(os.path.join(os.fsencode(self.vault), name), "wb") as out:
                    out.write(b"The anchor number %d.\n" % i)
                made += 1
            except OSError:
                pass  # this file system does not take the name
        report = self.index_now()
        self.assertEqual(report["notes"]["seen"], made)
        reply = self.run_json("search", "anchor", "-n", "50")
        self.assertEqual(len(reply.json["results"]), made)
        plain = self.run_raw("search", "anchor", "-n", "50", *self.place())
        self.assertEqual(plain.code, 0)

    def test_deep_folders(self):
        deep = self.vault
        for i in range(200):
            deep = deep / f"d{i}"
        try:
            deep.mkdir(parents=True)
        except OSError:
            self.skipTest("this file system has no room for the path")
        (deep / "A.md").write_text("The anchor is bronze.\n")
        self.index_now()
        self.assertEqual(len(self.paths("anchor")), 1)

    def test_contents_of_any_bytes(self):
        import random
        source = random.Random(5)
        self.note("Random.md", source.randbytes(200_000))
        self.note("Zeros.md", bytes(100_000))
        self.note("High.md", b"\xff" * 100_000)
        self.note("Cr.md", b"a\r" * 50_000)
        self.note("Open.md", b"---\n" + b"a: [" * 20_000)
        self.note("Quotes.md", b"> " * 50_000 + b"deep\n")
        self.note("Lists.md", b"".join(b" " * i + b"- x\n" for i in range(500)))
        self.note("Brackets.md", b"[" * 100_000)
        self.note("Wiki.md", b"[[" * 50_000)
        self.note("Stars.md", b"*_" * 50_000)
        self.note("Ticks.md", b"`" * 100_000)
        self.note("Table.md", b"|" * 50_000 + b"\n" + b"|-" * 50_000 + b"\n")
        self.note("Nest.canvas", b'{"nodes":' + b"[" * 100_000)
        self.note("Half.canvas", b'{"nodes":[{"id":"a","type":"text","text":"ha')
        self.note("Good.md", "The anchor is bronze.\n")
        report = self.index_now()
        self.assertEqual(report["notes"]["seen"], 15)
        self.assertEqual(self.paths("anchor"), ["Good.md"])

    def test_huge_note(self):
        line = b"2026-01-05 heartbeat ok from station 7\n"
        self.note("Log.md", line * (40 * 1024 * 1024 // len(line)))
        self.note("Good.md", "The anchor is bronze.\n")
        report = self.index_now()
        self.assertTrue([w for w in report["warnings"] if w["path"] == "Log.md"])
        self.assertEqual(self.paths("anchor"), ["Good.md"])
        self.assertEqual(self.paths("heartbeat")[0], "Log.md")


class VaultGoesAway(VaultTest):
    def setUp(self):
        super().setUp()
        for i in range(30):
            self.note(f"n{i}.md", f"The anchor number {i} is bronze.\n")
        self.index_now()

    def count(self):
        return self.run_raw("status", *self.place(), "--json").json.get("notes")

    def test_renamed_away(self):
        os.rename(self.vault, self.folder / "Away")
        reply = self.run_raw("index", *self.place(), "--json")
        self.check_json(reply, 2)
        os.rename(self.folder / "Away", self.vault)
        self.assertEqual(self.count(), 30)
        self.assertEqual(self.index_now()["notes"]["unchanged"], 30)

    def test_search_and_ask_while_it_is_away(self):
        os.rename(self.vault, self.folder / "Away")
        reply = self.run_raw("search", "anchor", *self.place(), "--json")
        self.check_json(reply, 0)
        self.assertIn("vault", reply.json["degraded"])
        self.assertTrue(reply.json["results"])
        reply = self.run_raw("ask", "What is anchor number 7 made of?", *self.place(), "--json")
        self.check_json(reply)
        self.assertNotEqual(reply.code, 0)
        self.assertEqual(reply.json["answer"], "NOT_IN_NOTES")

    def test_unmounted_leaves_an_empty_folder(self):
        os.rename(self.vault, self.folder / "Away")
        self.vault.mkdir()
        error = self.run_json("index", code=2).json["error"]
        self.assertEqual(error["code"], "refused")
        self.assertIn("--force-empty", error["message"] + error["hint"])
        self.assertEqual(self.count(), 30)
        shutil.rmtree(self.vault)
        os.rename(self.folder / "Away", self.vault)
        self.assertEqual(self.index_now()["notes"]["unchanged"], 30)

    def test_most_notes_gone(self):
        for i in range(20):
            (self.vault / f"n{i}.md").unlink()
        self.assertEqual(self.run_json("index", code=2).json["error"]["code"], "refused")
        self.assertEqual(self.count(), 30)
        report = self.index_now("--force-empty")
        self.assertEqual(report["notes"]["deleted"], 20)

    def test_half_gone_is_an_ordinary_day(self):
        for i in range(15):
            (self.vault / f"n{i}.md").unlink()
        self.assertEqual(self.index_now()["notes"]["deleted"], 15)

    def test_force_empty(self):
        shutil.rmtree(self.vault)
        self.vault.mkdir()
        report = self.index_now("--force-empty")
        self.assertEqual(report["notes"]["deleted"], 30)
        self.assertEqual(self.run_json("search", "anchor", code=1).json["results"], [])

    def test_another_vault_over_the_same_index(self):
        other = self.folder / "Other"
        other.mkdir()
        (other / "x.md").write_text("Something else.\n")
        reply = self.run_raw("index", "--vault", other, "--index", self.index, "--json")
        self.check_json(reply, 2)
        self.assertEqual(self.count(), 30)


class VaultStaysAsItIs(VaultTest):
    def exercise(self):
        for command in (["index"], ["search", "anchor"], ["ask", "What is the anchor made of?"],
                        ["get", "A.md"], ["links", "A.md"], ["status"], ["index", "--full"],
                        ["config", "show"]):
            self.run_json(*command)

    def build(self):
        self.note("A.md", b"\xef\xbb\xbf# A\r\n\r\nThe anchor is [[B]] bronze.\r\n")
        self.note("B.md", "---\nbroken: [yaml\n---\nText.\n")
        self.note("Deep/C.canvas", '{"nodes":[]}')
        self.note(".obsidian/app.json", "{}")
        self.note("image.png", b"\x89PNG")

    def test_bytes_and_times_are_unchanged(self):
        self.build()
        before = self.snapshot()
        top = os.lstat(self.vault).st_mtime_ns
        self.exercise()
        self.assertEqual(self.snapshot(), before)
        self.assertEqual(os.lstat(self.vault).st_mtime_ns, top)

    def test_read_only_vault(self):
        self.build()
        for path, folders, files in os.walk(self.vault, topdown=False):
            for name in files:
                os.chmod(os.path.join(path, name), 0o400)
            os.chmod(path, 0o500)
        before = self.snapshot()
        self.exercise()
        self.assertEqual(self.snapshot(), before)


if __name__ == "__main__":
    unittest.main()
