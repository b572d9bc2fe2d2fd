// Answer quality: how often `ask` errs in each direction on evaluation sets.
//
// A question the notes answer is answered right when a string of its `answers` (folded,
// white space as one space) stands in the cited quotes, or a cited quote and a sentence of
// its `evidence` contain one another; for yes/no answers, when a gold document is cited.
// Two error rates matter and pull apart: answering what the notes do not answer, and
// abstaining from what they do.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "eval_set.h"
#include "text/normalize.h"

namespace lectern::bench {
namespace {

struct Tally {
  size_t answerable = 0, right = 0, wrong = 0, gold_cited = 0, abstained = 0;
  size_t unanswerable = 0, answered_anyway = 0;
  double ms = 0;
};

std::string plain(const std::string& text) {
  const std::string folded = text::fold(text);
  std::string out;
  for (const char c : folded) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (space && (out.empty() || out.back() == ' ')) continue;
    out += space ? ' ' : c;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.')) out.pop_back();
  return out;
}

bool cites_gold(const EvalSet& set, const EvalQuestion& question, const AskReply& reply) {
  for (const Citation& citation : reply.citations) {
    const auto found = set.id_of_path.find(citation.path);
    if (found == set.id_of_path.end()) continue;
    if (std::find(question.gold.begin(), question.gold.end(), found->second) !=
        question.gold.end()) {
      return true;
    }
  }
  return false;
}

bool holds_answer(const EvalQuestion& question, const AskReply& reply, bool gold_cited) {
  std::string quotes;
  for (const Citation& citation : reply.citations) quotes += plain(citation.quote) + " \n ";
  for (const std::string& answer : question.answers) {
    const std::string wanted = plain(answer);
    if (wanted == "yes" || wanted == "no") {
      if (gold_cited) return true;
    } else if (!wanted.empty() && quotes.find(wanted) != std::string::npos) {
      return true;
    }
  }
  for (const std::string& sentence : question.evidence) {
    const std::string wanted = plain(sentence);
    if (wanted.size() < 8) continue;
    if (quotes.find(wanted) != std::string::npos) return true;
    for (const Citation& citation : reply.citations) {
      const std::string quote = plain(citation.quote);
      if (quote.size() >= 20 && wanted.find(quote) != std::string::npos) return true;
    }
  }
  return false;
}

struct Options {
  std::string data, gate;
  std::vector<std::string> sets;
  size_t limit = 0;  // questions a set; 0: all, else evenly spread
  bool show_errors = false;
};

void show(const char* what, const EvalQuestion& question, const AskReply& reply) {
  std::printf("%s\t%s\t%s\t-> %s\t(wanted %s)\tsufficiency %.3f\n", what, question.id.c_str(),
              question.text.c_str(), reply.answer.c_str(),
              question.answers.empty() ? "nothing" : question.answers.front().c_str(),
              reply.gate_sufficiency.value_or(-1));
}

Result<Tally> run_set(const Options& options, const std::string& name) {
  TRY(const IndexedSet indexed, index_set(options.data, name));
  const std::vector<EvalQuestion>& questions = indexed.set.questions;
  const size_t step =
      options.limit == 0 ? 1 : std::max<size_t>(1, questions.size() / options.limit);
  Tally tally;
  for (size_t i = 0; i < questions.size(); i += step) {
    const EvalQuestion& question = questions[i];
    AskRequest request;
    request.question = question.text;
    request.gate = options.gate;
    if (!question.folder.empty()) request.filter.folders.push_back(question.folder);
    TRY(const AskReply reply, indexed.engine.ask(request));
    for (const auto& [stage, ms] : reply.timings_ms) {
      if (stage == "total") tally.ms += ms;
    }
    if (!question.answerable) {
      ++tally.unanswerable;
      tally.answered_anyway += reply.answered ? 1 : 0;
      if (reply.answered && options.show_errors) show("ANSWERED ANYWAY", question, reply);
      continue;
    }
    ++tally.answerable;
    if (!reply.answered) {
      ++tally.abstained;
      if (options.show_errors) show("ABSTAINED", question, reply);
      continue;
    }
    const bool gold_cited = cites_gold(indexed.set, question, reply);
    tally.gold_cited += gold_cited ? 1 : 0;
    const bool right = holds_answer(question, reply, gold_cited);
    ++(right ? tally.right : tally.wrong);
    if (!right && options.show_errors) show("WRONG", question, reply);
  }
  return tally;
}

std::string percent(size_t part, size_t whole) {
  if (whole == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

void print_row(const std::string& name, const Tally& t) {
  const size_t answered = t.right + t.wrong + t.answered_anyway;
  std::printf("%-22s %6zu %8s %8s %8s %8s  %6zu %8s  %8s %7.2f\n", name.c_str(), t.answerable,
              percent(t.right, t.answerable).c_str(), percent(t.wrong, t.answerable).c_str(),
              percent(t.abstained, t.answerable).c_str(),
              percent(t.gold_cited, t.right + t.wrong).c_str(), t.unanswerable,
              percent(t.answered_anyway, t.unanswerable).c_str(),
              percent(t.wrong + t.answered_anyway, answered).c_str(),
              t.ms / std::max<double>(1, static_cast<double>(t.answerable + t.unanswerable)));
  std::fflush(stdout);
}

int usage() {
  std::fprintf(stderr,
               "usage: quality_ask DATA [--set NAME]... [--limit N] [--gate KIND] [--errors]\n");
  return 2;
}

int run(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--set" && i + 1 < argc) {
      options.sets.emplace_back(argv[++i]);
    } else if (word == "--gate" && i + 1 < argc) {
      options.gate = argv[++i];
    } else if (word == "--limit" && i + 1 < argc) {
      options.limit = std::strtoul(argv[++i], nullptr, 10);
    } else if (word == "--errors") {
      options.show_errors = true;
    } else if (!word.empty() && word[0] != '-' && options.data.empty()) {
      options.data = word;
    } else {
      return usage();
    }
  }
  if (options.data.empty()) return usage();
  if (options.sets.empty()) {
    options.sets = {"squad2",   "clapnq",   "tatqa",    "locomo",   "hotpotqa_train100",
                    "xquad/en", "xquad/de", "xquad/zh", "facqa_id", "cmrc2018"};
  }
  std::printf("%-22s %6s %8s %8s %8s %8s  %6s %8s  %8s %7s\n", "set", "answ.", "right", "wrong",
              "abstain", "gold", "unans.", "answered", "err/answ", "ms/q");
  for (const std::string& set : options.sets) {
    const Result<Tally> tally = run_set(options, set);
    if (!tally) {
      std::fprintf(stderr, "%s: %s\n", set.c_str(), to_line(tally.error()).c_str());
      return 2;
    }
    print_row(set, *tally);
  }
  std::printf(
      "abstain: false abstentions, of answerable questions. answered: answers given to\n"
      "unanswerable ones. err/answ: wrong or unfounded, of all answers. gold: answers that cite\n"
      "a gold document.\n");
  return 0;
}

}  // namespace
}  // namespace lectern::bench

int main(int argc, char** argv) { return lectern::bench::run(argc, argv); }
