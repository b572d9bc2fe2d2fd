"""Retrieval and both error rates of `ask` over the demo vault's golden questions: printed, and
asserted only so far that a broken build cannot pass.
"""
import json
import unittest

from lectern_process import ROOT, VaultTest


FLAGS = {"folder": "--folder", "path": "--path", "tags": "--tag", "after": "--after",
         "before": "--before", "collection": "--collection"}


def flags_of(filter_):
    """The golden file's filter object as flags of the command line."""
    flags = []
    for name, value in (filter_ or {}).items():
        if name == "where":
            flags += [x for key, wanted in value.items() for x in ("--where", f"{key}={wanted}")]
        else:
            values = value if isinstance(value, list) else [value]
            flags += [x for item in values for x in (FLAGS[name], item)]
    return flags


class GoldenRates(VaultTest):
    def test_rates(self):
        golden, vault = ROOT / "demo/golden.jsonl", ROOT / "demo/vault"
        if not golden.is_file() or not vault.is_dir():
            self.skipTest("there is no demo vault")
        self.vault = vault
        self.index_now()
        questions = [json.loads(line) for line in golden.read_text("utf-8").splitlines() if line]
        found = answerable = wrong = abstained = unanswerable = answered = 0
        for question in questions:
            scope = flags_of(question.get("filter"))
            reply = self.run_json("ask", question["question"], *scope).json
            cited = {c["path"] for c in reply["citations"]}
            if not question["answerable"]:
                unanswerable += 1
                answered += reply["status"] == "answered"
                continue
            answerable += 1
            gold = set(question["gold_notes"])
            ranked = self.paths(question["question"], *scope)
            found += bool(gold & set(ranked[:5]))
            if reply["status"] != "answered":
                abstained += 1
            elif not cited & gold:
                wrong += 1
        print(f"\ngold note in the top 5: {found} of {answerable}; answered from other notes: "
              f"{wrong}, abstained: {abstained}; unanswerable but answered: {answered} of "
              f"{unanswerable}")
        self.assertGreater(answerable, 0)
        self.assertGreater(found, answerable // 2)
        self.assertLess(answered, max(1, unanswerable))


if __name__ == "__main__":
    unittest.main()
