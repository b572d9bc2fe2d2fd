"""Every command on a small vault: the shapes of the JSON objects, exit codes, filters."""
import json
import os
import pathlib
import unittest

from lectern_process import VaultTest


class SmallVault(VaultTest):
    def setUp(self):
        super().setUp()
        self.note("Ops/Gateway.md", """---
title: Gateway
aliases: [front door]
tags: [ops, network/edge]
owner: Maren Voss
date: 2026-03-04
---
# Gateway

Runs in two zones.

## Incidents

### INC-0417

The probe timed out while the [[Proxy]] drained for 30 s.
""")
        self.note("Ops/Proxy.md", """# Proxy

Drains connections before a restart. See [[Ops/Gateway#Incidents|incidents]] and [[Nowhere]].

| limit | value |
|---|---|
| connections | 4096 |
| idle timeout | 75 s |
""")
        self.note("Journal/2026-01-15.md", "Bought a theodolite from Imani for 310 francs. #purchase\n")
        self.note("Journal/2025-11-02.md", "The theodolite at the fair was too dear. #purchase/idea\n")
        self.report = self.index_now()


class Shapes(SmallVault):
    def test_index(self):
        report = self.report
        self.assertEqual(set(report), {"vault", "notes", "chunks", "links", "embeddings", "warnings",
                                       "seconds"} | (set(report) & {"index_path", "index"}))
        self.assertEqual(report["notes"], {"seen": 4, "added": 4, "changed": 0, "unchanged": 0,
                                           "moved": 0, "deleted": 0, "failed": 0})
        self.assertEqual(report["links"], {"total": 3, "resolved": 2, "unresolved": 1,
                                           "ambiguous": 0})
        self.assertEqual(set(report["chunks"]), {"total", "added", "deleted"})
        self.assertGreaterEqual(report["chunks"]["total"], 4)
        self.assertTrue({"model", "dimensions", "embedded", "reused", "pending"}
                        <= set(report["embeddings"]))
        self.assertEqual(report["warnings"], [])
        again = self.index_now()
        self.assertEqual(again["notes"]["unchanged"], 4)
        self.assertEqual(again["notes"]["added"], 0)

    def test_search(self):
        reply = self.run_json("search", "probe timed out", code=0).json
        self.assertEqual(reply["status"], "found")
        self.assertEqual(reply["query"], "probe timed out")
        self.assertEqual(reply["mode"], "hybrid")
        self.assertIsNone(reply["abstain"])
        for key in ("pending_embeddings", "degraded", "warnings", "timings_ms"):
            self.assertIn(key, reply)
        self.assertIn("total", reply["timings_ms"])
        first = reply["results"][0]
        self.assertEqual(first["rank"], 1)
        self.assertEqual(first["path"], "Ops/Gateway.md")
        self.assertEqual(first["title"], "Gateway")
        # A passage merged from sections carries the first one's heading path.
        self.assertEqual(first["heading"][0], "Gateway")
        self.assertLessEqual(first["line_first"], 16)
        self.assertGreaterEqual(first["line_last"], 16)
        self.assertIn("probe timed out", first["text"])
        self.assertIn(16, [h["line"] for h in first["highlights"]])
        self.assertIn("keyword", first["lanes"])
        self.assertEqual(set(first["lanes"]["keyword"]), {"rank", "score"})
        self.assertIsNone(first["score"])
        self.assertEqual(first["tags"], ["ops", "network/edge"])
        self.assertEqual(first["date"], "2026-03-04")
        self.assertEqual(first["collection"], "main")
        self.assertEqual(first["source_class"], "note")
        self.assertTrue(first["chunk_id"])
        self.assertTrue(first["uri"].startswith(
            "obsidian://open?vault=Vault&file=Ops%2FGateway"), first["uri"])

    def test_search_ranks_and_limit(self):
        results = self.run_json("search", "theodolite", "-n", "1", code=0).json["results"]
        self.assertEqual(len(results), 1)
        results = self.run_json("search", "theodolite", code=0).json["results"]
        self.assertEqual([r["rank"] for r in results], list(range(1, len(results) + 1)))
        self.assertEqual({r["path"] for r in results},
                         {"Journal/2026-01-15.md", "Journal/2025-11-02.md"})

    def test_search_nothing(self):
        reply = self.run_json("search", "xylophonist", code=1).json
        self.assertEqual(reply["status"], "abstained")
        self.assertEqual(reply["results"], [])
        self.assertTrue(reply["abstain"]["reason"])

    def test_search_modes(self):
        for mode in ("hybrid", "keyword", "title"):
            with self.subTest(mode=mode):
                reply = self.run_json("search", "gateway", "--mode", mode, code=0).json
                self.assertEqual(reply["mode"], mode)
                self.assertEqual(reply["results"][0]["path"], "Ops/Gateway.md")

    def test_explain(self):
        reply = self.run_json("search", "probe", "--explain", code=0).json
        self.assertTrue(reply["trace"])
        self.assertNotIn("trace", self.run_json("search", "probe").json)

    def test_ask_answered(self):
        reply = self.run_json("ask", "What is the idle timeout of the proxy?", code=0).json
        self.assertEqual(reply["status"], "answered")
        self.assertIn("75 s", reply["answer"])
        self.assertIn("[1]", reply["answer"])
        citation = reply["citations"][0]
        self.assertEqual(citation["marker"], 1)
        self.assertEqual((citation["path"], citation["line_first"], citation["line_last"]),
                         ("Ops/Proxy.md", 8, 8))
        line = (self.vault / "Ops/Proxy.md").read_text().split("\n")[7]
        self.assertIn(citation["quote"], line)
        for key in ("heading", "chunk_id", "block_id", "uri"):
            self.assertIn(key, citation)
        for claim in reply["claims"]:
            self.assertTrue(claim["citations"])
            self.assertIn("verdict", claim)
        for key in ("superseded", "gaps", "confidence", "guarantee", "generator", "gate", "retry",
                    "degraded", "warnings", "timings_ms", "tokens", "cost_usd"):
            self.assertIn(key, reply)
        self.assertIsNone(reply["abstain"])
        self.assertIsNone(reply["guarantee"])
        self.assertEqual(reply["generator"], "extractive")
        self.assertTrue({"kind", "sufficiency", "threshold"} <= set(reply["gate"]))
        self.assertTrue({"ran", "filters_dropped", "lane_depth"} <= set(reply["retry"]))

    def test_ask_abstains(self):
        reply = self.run_json("ask", "What is the salary of Maren Voss?", code=1).json
        self.assertEqual(reply["status"], "abstained")
        self.assertEqual(reply["answer"], "NOT_IN_NOTES")
        self.assertEqual(reply["citations"], [])
        self.assertIn(reply["abstain"]["by"], ("gate", "generator", "verifier"))
        self.assertIn(reply["abstain"]["reason"],
                      ("no_evidence", "insufficient", "generator_declined", "unsupported_answer"))
        for near in reply["abstain"]["nearest"]:
            self.assertEqual(set(near), {"path", "line_first", "line_last", "quote", "why_not"})

    def test_get(self):
        reply = self.run_json("get", "Ops/Proxy.md:3", code=0).json
        self.assertEqual(set(reply) - {"warnings"},
                         {"path", "title", "line_first", "line_last", "lines", "mtime"})
        self.assertEqual((reply["line_first"], reply["line_last"]), (3, 3))
        self.assertEqual(reply["lines"], [{"line": 3, "text":
            "Drains connections before a restart. See [[Ops/Gateway#Incidents|incidents]] "
            "and [[Nowhere]]."}])
        whole = self.run_json("get", "Ops/Proxy", code=0).json
        self.assertEqual(len(whole["lines"]), 8)
        part = self.run_json("get", "Ops/Proxy.md:7-8", code=0).json
        self.assertEqual([l["line"] for l in part["lines"]], [7, 8])

    def test_get_of_what_is_not_there(self):
        error = self.run_json("get", "Ops/Prxy.md", code=2).json["error"]
        self.assertEqual(error["code"], "not_found")
        self.assertIn("Ops/Proxy", json.dumps(error))
        for where in ("Ops/Proxy.md:99", "Ops/Proxy.md:0", "Ops/Proxy.md:5-3"):
            with self.subTest(where=where):
                self.run_json("get", where, code=2)

    def test_get_stays_inside_the_vault(self):
        (self.folder / "secret.md").write_text("outside\n")
        for where in ("../secret.md", str(self.folder / "secret.md"), "Ops/../../secret.md",
                      "/etc/passwd"):
            with self.subTest(where=where):
                reply = self.run_json("get", where, code=2)
                self.assertNotIn("outside", reply.out)

    def test_get_by_block_id_follows_the_block(self):
        citation = self.run_json("ask", "What is the idle timeout of the proxy?").json["citations"][0]
        block = citation["block_id"]
        reply = self.run_json("get", "--id", block, code=0).json
        self.assertEqual((reply["path"], reply["line_first"]), ("Ops/Proxy.md", 8))
        text = (self.vault / "Ops/Proxy.md").read_text()
        self.note("Ops/Proxy.md", "New first line.\n\n" + text)
        self.index_now()
        reply = self.run_json("get", "--id", block, code=0).json
        self.assertEqual(reply["line_first"], 10)
        self.note("Ops/Proxy.md", text.replace("75 s", "80 s"))
        self.index_now()
        error = self.run_json("get", "--id", block, code=2).json["error"]
        self.assertEqual(error["code"], "not_found")

    def test_links(self):
        reply = self.run_json("links", "Ops/Proxy.md", code=0).json
        self.assertEqual(reply["path"], "Ops/Proxy.md")
        first, second = reply["outgoing"]
        self.assertEqual(set(first), {"target", "path", "heading", "block", "alias", "embed", "line",
                                      "kind", "candidates"})
        self.assertEqual((first["path"], first["heading"], first["alias"], first["kind"],
                          first["line"]),
                         ("Ops/Gateway.md", "Incidents", "incidents", "resolved", 3))
        self.assertEqual((second["target"], second["kind"]), ("Nowhere", "unresolved"))
        self.assertEqual(reply["backlinks"][0]["path"], "Ops/Gateway.md")
        self.assertEqual(reply["backlinks"][0]["line"], 16)
        self.assertIn("[[Proxy]]", reply["backlinks"][0]["text"])

    def test_status(self):
        status = self.run_json("status", code=0).json
        for key in ("schema_version", "generation", "index_path", "index_bytes", "vault_path",
                    "notes", "chunks", "links", "embeddings", "model_fingerprint",
                    "last_indexed_at", "worker", "providers"):
            self.assertIn(key, status)
        self.assertEqual(status["notes"], 4)
        self.assertEqual(pathlib.Path(status["index_path"]), self.index)
        self.assertRegex(status["last_indexed_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_config_show(self):
        reply = self.run_json("config", "show", code=0)
        text = reply.out
        for name in ("keyword", "k1", "gate"):
            self.assertIn(name, text)

    def test_human_output_names_lines(self):
        reply = self.run_raw("search", "probe timed out", *self.place())
        self.assertEqual(reply.code, 0)
        self.assertRegex(reply.out, r"Ops/Gateway\.md:\d+")
        reply = self.run_raw("ask", "What is the idle timeout of the proxy?", *self.place())
        self.assertEqual(reply.code, 0)
        self.assertIn("Ops/Proxy.md:8", reply.out)
        reply = self.run_raw("ask", "What is the salary of Maren Voss?", *self.place())
        self.assertEqual(reply.code, 1)
        self.assertIn("NOT_IN_NOTES", reply.out)
        for command in (["get", "Ops/Proxy.md"], ["links", "Ops/Proxy.md"], ["status"],
                        ["config", "show"], ["index"]):
            with self.subTest(command=command):
                reply = self.run_raw(*command, *self.place())
                self.assertEqual(reply.code, 0, reply.err)
                self.assertTrue(reply.out.strip() or reply.err.strip())
                self.assertNotIn("\x1b[", reply.out, "colour codes into a pipe")

    def test_color_always(self):
        reply = self.run_raw("search", "probe", *self.place(), "--color", "always")
        self.assertEqual(reply.code, 0)
        reply = self.run_raw("search", "probe", *self.place(), "--color", "always", "--json")
        self.check_json(reply, 0)
        self.assertNotIn("\x1b[", reply.out)

    def test_environment_names_the_vault_and_the_index(self):
        environment = dict(self.environment, LECTERN_VAULT=str(self.vault),
                           LECTERN_INDEX=str(self.index))
        reply = self.run_raw("search", "probe", "--json", env=environment)
        self.check_json(reply, 0)

    def test_relative_vault_and_trailing_slash(self):
        for vault in ("Vault", "Vault/", "./Vault", "home/../Vault"):
            with self.subTest(vault=vault):
                reply = self.run_raw("search", "probe", "--vault", vault, "--index", self.index,
                                     "--json")
                self.check_json(reply, 0)


class Filters(SmallVault):
    def test_dates(self):
        self.assertEqual(self.paths("theodolite", "--after", "2026"), ["Journal/2026-01-15.md"])
        self.assertEqual(self.paths("theodolite", "--before", "2026-01"), ["Journal/2025-11-02.md"])
        self.assertEqual(self.paths("theodolite", "--after", "2026-01-15", "--before",
                                    "2026-01-16"), ["Journal/2026-01-15.md"])
        self.assertEqual(self.paths("theodolite", "--after", "2026-01-16"), [])

    def test_folder_path_tag_where(self):
        self.assertEqual(set(self.paths("theodolite", "--folder", "Ops")), set())
        self.assertEqual(set(self.paths("gateway", "--folder", "Ops")),
                         {"Ops/Gateway.md", "Ops/Proxy.md"})
        self.assertEqual(set(self.paths("gateway", "--folder", "!Ops")), set())
        self.assertEqual(set(self.paths("gateway", "--path", "Ops/Proxy.md")), {"Ops/Proxy.md"})
        self.assertEqual(set(self.paths("theodolite", "--tag", "purchase")),
                         {"Journal/2026-01-15.md", "Journal/2025-11-02.md"})
        self.assertEqual(set(self.paths("theodolite", "--tag", "purchase", "--tag",
                                        "!purchase/idea")), {"Journal/2026-01-15.md"})
        self.assertEqual(set(self.paths("gateway", "--where", "owner=Maren Voss")),
                         {"Ops/Gateway.md"})
        self.assertEqual(set(self.paths("theodolite", "--folder", "Ops", "--folder", "Journal")),
                         {"Journal/2026-01-15.md", "Journal/2025-11-02.md"})

    def test_a_filter_holds_for_ask(self):
        reply = self.run_json("ask", "What did the theodolite cost?", "--folder", "Ops", code=1)
        self.assertEqual(reply.json["answer"], "NOT_IN_NOTES")
        reply = self.run_json("ask", "What did the theodolite cost in francs?", "--folder",
                              "Journal").json
        for citation in reply["citations"]:
            self.assertTrue(citation["path"].startswith("Journal/"))


class Changes(SmallVault):
    def test_changed_moved_deleted(self):
        self.note("Journal/2026-01-15.md", "Sold the theodolite again. #purchase\n")
        os.rename(self.vault / "Ops/Proxy.md", self.vault / "Proxy.md")
        (self.vault / "Journal/2025-11-02.md").unlink()
        report = self.index_now()
        self.assertEqual({k: report["notes"][k] for k in ("added", "changed", "moved", "deleted")},
                         {"added": 0, "changed": 1, "moved": 1, "deleted": 1})
        self.assertEqual(self.paths("theodolite"), ["Journal/2026-01-15.md"])
        self.assertIn("Proxy.md", self.paths("drains connections"))
        self.assertNotIn("Ops/Proxy.md", self.paths("drains connections"))
        reply = self.run_json("links", "Ops/Gateway.md").json
        self.assertEqual(reply["outgoing"][0]["path"], "Proxy.md")

    def test_full_gives_the_same(self):
        before = self.run_json("search", "theodolite", "--mode", "keyword").json["results"]
        report = self.index_now("--full")
        self.assertEqual(report["notes"]["seen"], 4)
        after = self.run_json("search", "theodolite", "--mode", "keyword").json["results"]
        self.assertEqual([(r["path"], r["lanes"]) for r in before],
                         [(r["path"], r["lanes"]) for r in after])

    def test_file_by_file_gives_the_same_as_at_once(self):
        other = self.folder / "other.db"
        texts = {str(p.relative_to(self.vault)): p.read_bytes() for p in self.vault.rglob("*.md")}
        for path in texts:
            (self.vault / path).unlink()
        for path, text in texts.items():
            self.note(path, text)
            reply = self.run_raw("index", "--vault", self.vault, "--index", other, "--json")
            self.check_json(reply, 0)
        self.index_now()
        for query in ("theodolite", "gateway probe", "the proxy drains", "purchase"):
            replies = []
            for index in (self.index, other):
                reply = self.run_raw("search", query, "--vault", self.vault, "--index", index,
                                     "--mode", "keyword", "--json")
                replies.append([(r["path"], r["line_first"], r["lanes"])
                                for r in reply.json["results"]])
            self.assertEqual(replies[0], replies[1], query)

    def test_private_folders(self):
        self.note("_private/Diary.md", "heliotrope\n")
        self.note("Work/_sensitiveData/Pay.md", "heliotrope\n")
        self.index_now()
        self.assertEqual(self.paths("heliotrope"), [])
        environment = dict(self.environment, LECTERN_INCLUDE_PRIVATE="true")
        reply = self.run_raw("index", *self.place(), "--json", env=environment)
        self.check_json(reply, 0)
        self.assertEqual(reply.json["notes"]["added"], 2)

    def test_include_and_exclude(self):
        report = self.index_now("--exclude", "Journal")
        self.assertEqual(report["notes"]["deleted"], 2)
        self.assertEqual(self.paths("theodolite"), [])

    def test_vault_config_may_not_set_endpoints(self):
        self.note(".lectern.yaml", "exclude: [Journal]\nindex: /tmp/evil.db\nkeyword:\n  k1: 9\n")
        report = self.index_now()
        self.assertEqual(report["notes"]["deleted"], 2)
        self.assertTrue([w for w in report["warnings"] if ".lectern.yaml" in w["path"]],
                        report["warnings"])
        self.assertFalse(os.path.exists("/tmp/evil.db"))


if __name__ == "__main__":
    unittest.main()
