"""The first minutes on an empty machine: no index, no vault, help, wrong words."""
import json
import unittest

from lectern_process import VaultTest


class FirstRun(VaultTest):
    def test_search_without_an_index_says_what_to_do(self):
        self.note("A.md", "The anchor is bronze.\n")
        for command in (["search", "anchor"], ["ask", "What is the anchor?"], ["status"],
                        ["links", "A.md"]):
            with self.subTest(command=command[0]):
                error = self.run_json(*command, code=2).json["error"]
                self.assertEqual(error["code"], "no_index")
                self.assertIn("lectern index", error["hint"])
        self.assertFalse(self.index.exists(), "a read command made the index")

    def test_the_same_without_json_is_one_line_on_stderr(self):
        line = self.one_line_error(self.run_raw("search", "anchor", *self.place()))
        self.assertIn("lectern index", line)

    def test_no_vault_names_the_flag(self):
        reply = self.run_raw("search", "anchor", "--json")
        self.check_json(reply, 2)
        self.assertEqual(reply.json["error"]["code"], "no_vault")
        self.assertIn("--vault", json.dumps(reply.json["error"]))

    def test_vault_that_does_not_exist(self):
        reply = self.run_raw("index", self.folder / "nowhere", "--index", self.index, "--json")
        self.check_json(reply, 2)
        self.assertFalse(self.index.exists())

    def test_vault_is_found_from_inside_it(self):
        (self.vault / ".obsidian").mkdir()
        self.note("Deep/Down/A.md", "The anchor is bronze.\n")
        inside = self.vault / "Deep/Down"
        self.assertEqual(self.run_raw("index", "--json", cwd=inside).code, 0)
        reply = self.run_raw("search", "anchor", "--json", cwd=inside)
        self.assertEqual(reply.json["results"][0]["path"], "Deep/Down/A.md")
        data = self.home / ".local/share/lectern"
        self.assertTrue(list(data.glob("Vault-????????/index.db")), list(data.glob("*")))

    def test_index_under_the_data_home(self):
        self.note("A.md", "The anchor is bronze.\n")
        environment = dict(self.environment, XDG_DATA_HOME=str(self.folder / "xdg"))
        reply = self.run_raw("index", self.vault, "--json", env=environment)
        self.check_json(reply, 0)
        self.assertTrue(list((self.folder / "xdg/lectern").glob("Vault-*/index.db")))

    def test_home_unset(self):
        self.note("A.md", "The anchor is bronze.\n")
        environment = {k: v for k, v in self.environment.items() if k != "HOME"}
        reply = self.run_raw("index", *self.place(), "--json", env=environment)
        self.check_json(reply, 0)
        reply = self.run_raw("search", "anchor", *self.place(), "--json", env=environment)
        self.check_json(reply, 0)
        # Without --index there is no place for it: an error, or a place outside the vault.
        reply = self.run_raw("status", "--vault", self.vault, "--json", env=environment)
        self.check_json(reply, 2)

    def test_empty_vault(self):
        report = self.index_now()
        self.assertEqual(report["notes"]["seen"], 0)
        self.assertEqual(self.run_json("search", "anything", code=1).json["results"], [])
        reply = self.run_json("ask", "Anything?", code=1).json
        self.assertEqual(reply["answer"], "NOT_IN_NOTES")
        self.assertEqual(reply["abstain"]["reason"], "empty_index")

    def test_index_inside_the_vault_is_refused(self):
        self.note("A.md", "The anchor is bronze.\n")
        before = self.snapshot()
        for index in (self.vault / "index.db", self.vault / ".lectern/index.db"):
            reply = self.run_raw("index", "--vault", self.vault, "--index", index, "--json")
            self.check_json(reply, 2)
        self.assertEqual(self.snapshot(), before)

    def test_index_inside_the_vault_through_a_link_is_refused(self):
        self.note("A.md", "The anchor is bronze.\n")
        link = self.folder / "door"
        link.symlink_to(self.vault)
        reply = self.run_raw("index", "--vault", self.vault, "--index", link / "index.db", "--json")
        self.check_json(reply, 2)
        self.assertFalse((self.vault / "index.db").exists())


class Help(VaultTest):
    def test_help_names_every_command(self):
        reply = self.run_raw("--help")
        self.assertEqual(reply.code, 0, reply.err)
        for command in ("index", "search", "ask", "get", "links", "status", "config", "completions"):
            self.assertIn(command, reply.out)

    def test_help_of_a_command(self):
        for command in ("index", "search", "ask", "get", "links", "status"):
            with self.subTest(command=command):
                reply = self.run_raw(command, "--help")
                self.assertEqual(reply.code, 0, reply.err)
                self.assertIn("--json", reply.out)

    def test_version(self):
        reply = self.run_raw("--version")
        self.assertEqual(reply.code, 0)
        self.assertRegex(reply.out, r"^lectern \d+\.\d+\.\d+")

    def test_no_command(self):
        reply = self.run_raw()
        self.assertEqual(reply.code, 2)
        self.assertIn("lectern", (reply.out + reply.err).lower())

    def test_completions(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell=shell):
                reply = self.run_raw("completions", shell)
                self.assertEqual(reply.code, 0, reply.err)
                for word in ("search", "ask", "--vault"):
                    self.assertIn(word.lstrip("-") if shell == "fish" else word, reply.out)
        self.assertEqual(self.run_raw("completions", "csh").code, 2)


class WrongWords(VaultTest):
    def test_unknown_names_are_refused_with_the_nearest(self):
        self.note("A.md", "The anchor is bronze.\n")
        self.index_now()
        cases = [
            (["serch", "anchor"], "search"),
            (["search", "anchor", "--limt", "3"], "limit"),
            (["search", "anchor", "--foldr", "X"], "--folder"),
            (["search", "anchor", "--mode", "keywrod"], "keyword"),
            (["index", "--ful"], "--full"),
            (["ask", "anchor?", "--generator", "extractiv"], "extractive"),
        ]
        for words, near in cases:
            if near == "limit":  # -n has no long form that must exist
                continue
            with self.subTest(words=words):
                line = self.one_line_error(self.run_raw(*words, *self.place()))
                self.assertIn(near, line)
                reply = self.run_raw(*words, *self.place(), "--json")
                self.check_json(reply, 2)

    def test_bad_values(self):
        self.note("A.md", "The anchor is bronze.\n")
        self.index_now()
        for words in (["-n", "0"], ["-n", "-1"], ["-n", "many"], ["-n", "99999999999999999999"],
                      ["--after", "yesterdayish"], ["--after", "2026-13-01"],
                      ["--before", "2026-02-30"], ["--where", "nokey"]):
            with self.subTest(words=words):
                self.check_json(self.run_raw("search", "anchor", *words, *self.place(), "--json"), 2)

    def test_parts_not_built_say_so(self):
        self.note("A.md", "The anchor is bronze.\n")
        self.index_now()
        error = self.run_json("search", "anchor", "--mode", "semantic", code=2).json["error"]
        self.assertTrue(error["message"])

    def test_missing_arguments(self):
        for words in (["search"], ["ask"], ["get"], ["links"]):
            with self.subTest(words=words):
                self.assertEqual(self.run_raw(*words, *self.place()).code, 2)


if __name__ == "__main__":
    unittest.main()
