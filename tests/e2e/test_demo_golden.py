"""The demo vault and its questions agree: every quote stands in its note, every trap is a trap.

Run from anywhere: python3 -m unittest tests/e2e/test_demo_golden.py, or python3 on this file.
LECTERN_DEMO=FOLDER checks another copy of demo/.
"""

import collections
import json
import os
import pathlib
import re
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = pathlib.Path(os.environ.get("LECTERN_DEMO", ROOT / "demo"))
VAULT = DEMO / "vault"

ANSWERED = {"keyword", "semantic", "cross_language", "multi_hop", "temporal", "numeric"}
UNANSWERED = {"unanswerable", "near_miss", "off_topic"}
FIELDS = {"id", "question", "answerable", "category", "gold_notes", "near_notes", "evidence",
          "answers", "reference", "filter", "split", "provenance"}
FILTER_KEYS = {"folder": list, "tags": list, "where": dict, "after": str, "before": str}
LEAST = {"questions": 165, "a category": 14, "without answer": 45, "multi_hop": 16, "filtered": 10}
LANGUAGES = {"id": 3, "ru": 3, "de": 3, "zh": 3}
HIDDEN = "blue teapot"  # stands in a %% comment %% of one note and nowhere else
DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")


def text_of(path):
    return (VAULT / path).read_bytes().decode("utf-8")


def without_comments(text):
    """The text with comments blanked; lines stay where they are."""
    def blank(match):
        return "\n" * match.group().count("\n")
    text = re.sub(r"%%.*?%%", blank, text, flags=re.S)
    return re.sub(r"<!--.*?-->", blank, text, flags=re.S)


def frontmatter(text):
    """Scalars as text, [a, b] as a list. The demo's notes use no other YAML."""
    out = {}
    if not text.startswith("---\n"):
        return out
    for line in text[4:text.index("\n---\n", 3)].split("\n"):
        key, _, value = line.partition(": ")
        value = value.strip()
        if value.startswith("["):
            out[key] = [part.strip() for part in value.strip("[]").split(",") if part.strip()]
        else:
            out[key] = value.strip('"')
    return out


def links_of(path):
    """The notes of the vault that `path` links to, by wikilink or Markdown link."""
    text = without_comments(text_of(path))
    by_name = {note.removesuffix(".md").rsplit("/", 1)[-1]: note for note in notes()}
    out = set()
    for target in re.findall(r"\[\[([^\]|#]+)", text):
        out.add(by_name.get(target.strip()))
    for target in re.findall(r"\]\(([^)]+\.md)\)", text):
        name = urllib.parse.unquote(target).rsplit("/", 1)[-1].removesuffix(".md")
        out.add(by_name.get(name))
    return out - {None}


def notes():
    return sorted(p.relative_to(VAULT).as_posix() for p in VAULT.rglob("*.md"))


def in_scope(path, scope):
    """Whether a note can pass a filter, as far as its path and frontmatter say."""
    fields = frontmatter(text_of(path)) if path.endswith(".md") else {}
    tags = fields.get("tags", [])
    if scope.get("folder") and not any(path.startswith(f + "/") for f in scope["folder"]):
        return False
    for wanted in scope.get("tags", []):
        if not any(tag == wanted or tag.startswith(wanted + "/") for tag in tags):
            return False
    if any(fields.get(key) != value for key, value in scope.get("where", {}).items()):
        return False
    day = re.fullmatch(r"\d{4}-\d{2}-\d{2}", pathlib.PurePosixPath(path).stem)
    if day:  # other notes carry their dates inside
        return scope.get("after", "") <= day.group() < scope.get("before", "9999")
    return True


class DemoGolden(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.questions = []
        lines = (DEMO / "golden.jsonl").read_bytes().decode("utf-8").split("\n")
        assert lines.pop() == "", "golden.jsonl ends without a newline"
        for number, line in enumerate(lines, 1):
            try:
                cls.questions.append(json.loads(line))
            except ValueError as error:
                raise AssertionError(f"golden.jsonl:{number}: {error}") from None

    def each(self, *categories):
        return [q for q in self.questions if not categories or q["category"] in categories]

    def test_every_line_has_the_fields_and_their_types(self):
        for q in self.questions:
            with self.subTest(q.get("id")):
                self.assertEqual(set(q), FIELDS)
                for key in ("id", "question", "category", "reference", "split", "provenance"):
                    self.assertIsInstance(q[key], str)
                    self.assertTrue(q[key].strip(), key)
                for key in ("gold_notes", "near_notes", "evidence", "answers"):
                    self.assertIsInstance(q[key], list)
                self.assertIsInstance(q["answerable"], bool)
                self.assertIn(q["provenance"], ("drafted", "reviewed"))

    def test_ids_are_unique_and_no_question_stands_twice(self):
        ids = collections.Counter(q["id"] for q in self.questions)
        self.assertEqual([i for i, n in ids.items() if n > 1], [])
        asked = collections.Counter(
            (q["question"].casefold(), json.dumps(q["filter"], sort_keys=True))
            for q in self.questions)
        self.assertEqual([a for a, n in asked.items() if n > 1], [])

    def test_categories_and_counts(self):
        counts = collections.Counter(q["category"] for q in self.questions)
        self.assertEqual(set(counts), ANSWERED | UNANSWERED)
        self.assertGreaterEqual(len(self.questions), LEAST["questions"])
        for category, n in counts.items():
            self.assertGreaterEqual(n, LEAST["a category"], category)
        self.assertGreaterEqual(counts["multi_hop"], LEAST["multi_hop"])
        self.assertGreaterEqual(sum(not q["answerable"] for q in self.questions),
                                LEAST["without answer"])
        self.assertGreaterEqual(sum(bool(q["filter"]) for q in self.questions), LEAST["filtered"])

    def test_splits_are_halves_of_every_category(self):
        splits = collections.defaultdict(collections.Counter)
        for q in self.each():
            with self.subTest(q["id"]):
                self.assertIn(q["split"], ("dev", "test"))
                splits[q["category"]][q["split"]] += 1
        for category, n in splits.items():
            self.assertLessEqual(abs(n["dev"] - n["test"]), 2, category)

    def test_named_notes_exist(self):
        for q in self.each():
            with self.subTest(q["id"]):
                for path in q["gold_notes"] + q["near_notes"] + [e["path"] for e in q["evidence"]]:
                    self.assertTrue((VAULT / path).is_file(), path)
                    self.assertFalse(path.startswith("/") or ".." in path.split("/"), path)

    def test_quotes_stand_word_for_word_in_one_line_outside_comments(self):
        for q in self.each():
            with self.subTest(q["id"]):
                for e in q["evidence"]:
                    self.assertTrue(e["quote"])
                    self.assertNotIn("\n", e["quote"])
                    lines = [i for i, line in enumerate(text_of(e["path"]).split("\n"), 1)
                             if e["quote"] in line]
                    self.assertEqual(len(lines), 1, f"{e['path']}: {e['quote']!r} on lines {lines}")
                    self.assertIn(e["quote"], without_comments(text_of(e["path"])),
                                  "stands only in a comment")

    def test_answerable_ones_have_evidence_that_holds_the_answer(self):
        for q in self.each(*ANSWERED):
            with self.subTest(q["id"]):
                self.assertTrue(q["answerable"])
                self.assertTrue(q["gold_notes"] and q["evidence"] and q["answers"])
                self.assertEqual(set(q["gold_notes"]), {e["path"] for e in q["evidence"]})
                self.assertTrue(any(a in e["quote"] for a in q["answers"] for e in q["evidence"]))
                self.assertNotEqual(q["reference"], "NOT_IN_NOTES")
                self.assertFalse(set(q["gold_notes"]) & set(q["near_notes"]))

    def test_unanswerable_ones_have_none(self):
        for q in self.each(*UNANSWERED):
            with self.subTest(q["id"]):
                self.assertFalse(q["answerable"])
                self.assertEqual([q["gold_notes"], q["evidence"], q["answers"]], [[], [], []])
                self.assertEqual(q["reference"], "NOT_IN_NOTES")
                self.assertEqual(bool(q["near_notes"]), q["category"] == "near_miss")

    def test_multi_hop_notes_are_joined_by_a_link(self):
        for q in self.each("multi_hop"):
            with self.subTest(q["id"]):
                self.assertEqual(len(q["gold_notes"]), 2)
                a, b = q["gold_notes"]
                self.assertTrue(b in links_of(a) or a in links_of(b), f"no link: {a}, {b}")
                for name in re.findall(r"\b[A-Z]{2,3}-\d+\b", q["question"]):
                    self.assertIn(name, text_of(a))
                    self.assertNotIn(name, text_of(b))
                answer_notes = [e["path"] for e in q["evidence"]
                                if any(x in e["quote"] for x in q["answers"])]
                self.assertIn(b, answer_notes)

    def test_filters_are_known_and_matter(self):
        for q in self.each():
            with self.subTest(q["id"]):
                scope = q["filter"]
                self.assertIsInstance(scope, dict)
                for key, value in scope.items():
                    self.assertIn(key, FILTER_KEYS)
                    self.assertIsInstance(value, FILTER_KEYS[key])
                    self.assertTrue(value)
                for key in ("after", "before"):
                    if key in scope:
                        self.assertRegex(scope[key], DATE)
                if not scope:
                    continue
                for path in q["gold_notes"]:
                    self.assertTrue(in_scope(path, scope), f"{path} is filtered out")
                if q["answerable"]:
                    self.assertTrue(q["near_notes"], "name what the filter keeps away")
                for path in q["near_notes"]:
                    self.assertFalse(in_scope(path, scope), f"{path} passes the filter")

    def test_the_fact_in_the_comment_is_no_evidence(self):
        holders = [n for n in notes() if HIDDEN in text_of(n)]
        self.assertEqual(holders, ["Operations/Keys and doors.md"])
        self.assertNotIn(HIDDEN, without_comments(text_of(holders[0])))
        self.assertNotIn(HIDDEN, (VAULT / "Hill plan.canvas").read_text(encoding="utf-8"))
        for q in self.each():
            with self.subTest(q["id"]):
                self.assertNotIn(HIDDEN, json.dumps([q["evidence"], q["answers"], q["reference"]]))
        self.assertTrue(any(not q["answerable"] and holders[0] in q["near_notes"]
                            for q in self.questions), "nobody asks for it")

    def test_the_vault_is_what_the_readme_says(self):
        self.assertTrue(50 <= len(notes()) <= 65, len(notes()))
        self.assertEqual(json.loads((VAULT / ".obsidian/app.json").read_text()), {})
        self.assertGreaterEqual(sum(n.startswith("Daily/") for n in notes()), 8)
        languages = collections.Counter(frontmatter(text_of(n)).get("language") for n in notes())
        for language, least in LANGUAGES.items():
            self.assertGreaterEqual(languages[language], least, language)
        canvas = json.loads((VAULT / "Hill plan.canvas").read_text(encoding="utf-8"))
        ids = {node["id"] for node in canvas["nodes"]}
        self.assertTrue({"text", "file"} <= {node["type"] for node in canvas["nodes"]})
        for node in canvas["nodes"]:
            if node["type"] == "file":
                self.assertTrue((VAULT / node["file"]).is_file(), node["file"])
        for edge in canvas["edges"]:
            self.assertTrue({edge["fromNode"], edge["toNode"]} <= ids)
        readme = (DEMO / "README.md").read_text(encoding="utf-8")
        counts = collections.Counter(q["category"] for q in self.questions)
        for category, n in counts.items():
            self.assertIn(f"{category} {n}", readme)
        self.assertIn(f"{len(notes())} notes", readme)
        self.assertIn(f"{len(self.questions)} questions", readme)

    def test_links_inside_the_vault_lead_somewhere(self):
        names = {n.removesuffix(".md").rsplit("/", 1)[-1] for n in notes()} | {"Hill plan.canvas"}
        for note in notes():
            with self.subTest(note):
                for target in re.findall(r"\[\[([^\]]+)\]\]", without_comments(text_of(note))):
                    target = target.split("|")[0]
                    name, _, part = target.partition("#")
                    self.assertIn(name, names)
                    if part:
                        path = next(n for n in notes() if n.endswith(name + ".md"))
                        body = text_of(path)
                        pattern = (re.escape(part) + r"\s*$" if part.startswith("^")
                                   else r"^#+ " + re.escape(part) + r"\s*$")
                        self.assertRegex(body, re.compile(pattern, re.M))


if __name__ == "__main__":
    unittest.main()
