"""Odd queries: syntax of other engines, malformed bytes, very long and empty ones."""
import subprocess
import unittest

from lectern_process import VaultTest

ODD = [
    "2026-03-31", "ask-codex", "state-of-the-art", "src/main.py", "@scope/pkg", "don't use agents",
    "what's the budget, roughly?", "GB/s", '"', "*", "NEAR(", "a AND", "-", "--", "OR", "NOT", "(",
    ")", "((((", '"unclosed phrase', '""', '" "', "a* b^2 {c}:d", "title:budget", "x OR", "^", "~",
    "\\", "\\\\", "%", "_", "' OR 1=1 --", "; DROP TABLE notes", "[[link", "]]", "#tag", "path:*.md",
    "\t", "a\nb", "\u200b", "\u202e", "\ufeff", "\U0001f600", "e\u0301" * 50, "合", "กขค", "ß",
    "İstanbul", "ﬁne", "½", "a" * 5000, "- - -", "-a", "-\"a b\"",
    "\"a\" \"b\" \"c\"", "1.0.21", "0x1F", "1e309", "-0", "NaN",
]


class Odd(VaultTest):
    def setUp(self):
        super().setUp()
        self.note("Code.md", "Run src/main.py with @scope/pkg at 40 GB/s, ask-codex.\n")
        self.note("Day.md", "On 2026-03-31 we said: don't use agents. The budget is roughly 300.\n")
        self.index_now()

    def test_no_query_is_an_error_of_syntax(self):
        for query in ODD:
            for command in ("search", "ask"):
                with self.subTest(command=command, query=query[:40]):
                    # `--query=` forms are not needed: after `--` everything is a query.
                    reply = self.run_raw(command, *self.place(), "--json", "--", query)
                    self.check_json(reply)
                    if query.strip():
                        self.assertIn(reply.code, (0, 1), reply.out)

    def test_hits(self):
        for query, path in (("2026-03-31", "Day.md"), ("src/main.py", "Code.md"),
                            ("@scope/pkg", "Code.md"), ("GB/s", "Code.md"),
                            ("don't use agents", "Day.md"), ("ask-codex", "Code.md"),
                            ("what's the budget, roughly?", "Day.md")):
            with self.subTest(query=query):
                self.assertEqual(self.paths(query)[0], path)

    def test_malformed_utf8(self):
        for query in (b"budget \xff\xfe", b"\xc3\x28", b"\xf0\x9f", b"budget \xed\xa0\x80"):
            with self.subTest(query=query):
                reply = self.run_raw("search", query, *self.place(), "--json")
                self.check_json(reply)
                self.assertIn(reply.code, (0, 1, 2))

    def test_empty(self):
        for query in ("", "   "):
            reply = self.run_json("search", query)
            self.assertIn(reply.code, (1, 2))

    def test_very_long(self):
        # A single argument may hold 128 KiB at most on Linux. The harness's own timeout is what
        # a query that never ends would meet.
        query = ("budget " * 18000)[:125000]
        reply = self.run_json("search", query)
        self.assertIn(reply.code, (0, 1, 2))
        different = " ".join(f"w{i}x" for i in range(17000))
        for command in ("search", "ask"):
            reply = self.run_json(command, different)
            self.assertIn(reply.code, (0, 1, 2))

    def test_many_arguments_make_one_megabyte(self):
        words = ["budget"] * 8
        reply = self.run_raw("search", " ".join(words), *self.place(), "--json",
                             *[x for i in range(2000) for x in ("--folder", f"folder-{i}" * 20)])
        self.check_json(reply)


class Outside(VaultTest):
    """What happens around the process: its output closed, interrupted."""

    def setUp(self):
        super().setUp()
        for i in range(200):
            self.note(f"n{i}.md", f"# Note {i}\n\nThe turbine report number {i}.\n" * 20)
        self.index_now()

    def test_closed_stdout(self):
        process = subprocess.Popen(
            self.command("search", "turbine", "-n", "100", *self.place()), env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        error = process.stderr.read()
        process.stderr.close()
        code = process.wait(60)
        self.assertIn(code, (0, 1, 2, -13), error)
        self.assertNotIn(b"terminate called", error)
        self.assertNotIn(b"Sanitizer", error)

    def test_full_device(self):
        with open("/dev/full", "wb") as full:
                process = subprocess.run(self.command("search", "turbine", *self.place(), "--json"),
                                     env=self.environment, stdout=full, stderr=subprocess.PIPE,
                                     timeout=60)
        self.assertEqual(process.returncode, 2, process.stderr)


if __name__ == "__main__":
    unittest.main()
