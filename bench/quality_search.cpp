// Retrieval quality: nDCG@10, recall, all gold in the top 5 and MRR of a search mode over
// evaluation sets, beside the floors a plain BM25 reaches on the same questions.
//
// Documents are ranked by their first passage. nDCG has binary gains: DCG = sum over gold
// documents at rank r <= 10 of 1 / log2(r + 1), divided by that of the ideal order
// (Jarvelin and Kekalainen 2002). Only answerable questions count.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "eval_set.h"

namespace lectern::bench {
namespace {

constexpr size_t kDepth = 10;

struct Measures {
  double ndcg = 0, recall5 = 0, recall10 = 0, all5 = 0, mrr = 0;
};

struct Floor {
  const char* set;
  Measures value;  // all5 below 0: not measured
};

// BM25 with k1 .9, b .4 over title and text, one document a note, plural stripping.
const Floor kFloors[] = {
    {"squad2", {.855, .915, .940, .915, .829}},
    {"clapnq", {.961, .987, 1.000, .987, .949}},
    {"tatqa", {.766, .853, .914, .853, .723}},
    {"locomo", {.790, .853, .922, .796, .774}},
    {"hotpotqa_train100", {.757, .750, .875, .530, .836}},
    {"musique_train100", {.545, .482, .581, .160, .741}},
    {"xquad/en", {.973, .996, .998, -1, .964}},
    {"xquad/ru", {.882, .921, .940, -1, .864}},
    {"xquad/de", {.938, .967, .979, -1, .925}},
    {"xquad/zh", {.979, .996, .998, -1, .972}},
    {"facqa_id", {.880, .931, .953, .931, .858}},
    {"cmrc2018", {.987, .997, .999, .997, .983}},
};

const Floor* floor_of(const std::string& set) {
  for (const Floor& floor : kFloors) {
    if (set == floor.set) return &floor;
  }
  return nullptr;
}

Measures measure(const std::vector<std::string>& ranked, const std::vector<std::string>& gold) {
  Measures out;
  double dcg = 0, ideal = 0;
  size_t found5 = 0, found10 = 0;
  for (size_t i = 0; i < ranked.size(); ++i) {
    if (std::find(gold.begin(), gold.end(), ranked[i]) == gold.end()) continue;
    if (out.mrr == 0) out.mrr = 1.0 / static_cast<double>(i + 1);
    if (i >= kDepth) continue;
    dcg += 1.0 / std::log2(static_cast<double>(i) + 2);
    ++found10;
    if (i < 5) ++found5;
  }
  for (size_t i = 0; i < std::min(gold.size(), kDepth); ++i) {
    ideal += 1.0 / std::log2(static_cast<double>(i) + 2);
  }
  out.ndcg = dcg / ideal;
  out.recall5 = static_cast<double>(found5) / static_cast<double>(gold.size());
  out.recall10 = static_cast<double>(found10) / static_cast<double>(gold.size());
  out.all5 = found5 == gold.size() ? 1 : 0;
  return out;
}

// Distinct documents in the order of their first passage, at least kDepth where there are.
Result<std::vector<std::string>> rank(const IndexedSet& indexed, const EvalQuestion& question,
                                      const std::string& mode, double& ms) {
  std::vector<std::string> out;
  for (uint32_t limit = 20; limit <= 80; limit *= 2) {
    SearchRequest request;
    request.query = question.text;
    request.mode = mode;
    request.limit = limit;
    if (!question.folder.empty()) request.filter.folders.push_back(question.folder);
    TRY(const SearchReply reply, indexed.engine.search(request));
    for (const auto& [name, value] : reply.timings_ms) {
      if (name == "total") ms += value;
    }
    out.clear();
    for (const SearchResult& result : reply.results) {
      const auto found = indexed.set.id_of_path.find(result.path);
      if (found == indexed.set.id_of_path.end()) continue;
      if (std::find(out.begin(), out.end(), found->second) == out.end()) {
        out.push_back(found->second);
      }
    }
    if (out.size() >= kDepth || reply.results.size() < limit) break;
  }
  return out;
}

struct Row {
  std::string set;
  size_t questions = 0;
  Measures mean;
  double index_seconds = 0, ms = 0;
};

Result<Row> run_set(const std::string& data, const std::string& name, const std::string& mode,
                    bool show_misses) {
  TRY(const IndexedSet indexed, index_set(data, name));
  Row row{name, 0, {}, indexed.index_seconds, 0};
  for (const EvalQuestion& question : indexed.set.questions) {
    if (!question.answerable) continue;
    TRY(const std::vector<std::string> ranked, rank(indexed, question, mode, row.ms));
    const Measures one = measure(ranked, question.gold);
    ++row.questions;
    row.mean.ndcg += one.ndcg;
    row.mean.recall5 += one.recall5;
    row.mean.recall10 += one.recall10;
    row.mean.all5 += one.all5;
    row.mean.mrr += one.mrr;
    if (show_misses && one.ndcg < 0.9999) {
      std::printf("%s\t%.3f\t%s\tgold %s\tfirst %s\n", question.id.c_str(), one.ndcg,
                  question.text.c_str(), question.gold.front().c_str(),
                  ranked.empty() ? "-" : ranked.front().c_str());
    }
  }
  const double n = std::max<double>(1, static_cast<double>(row.questions));
  for (double* value : {&row.mean.ndcg, &row.mean.recall5, &row.mean.recall10, &row.mean.all5,
                        &row.mean.mrr, &row.ms}) {
    *value /= n;
  }
  return row;
}

// nDCG has to beat the floor; the others may be .003 lower; at .99 and above equal will do.
// Values are compared as printed, to three places.
bool misses(double value, double floor, bool main) {
  if (floor < 0) return false;
  const double rounded = std::round(value * 1000);
  const double wanted = std::round(floor * 1000);
  if (main) return wanted >= 990 ? rounded < wanted : rounded <= wanted;
  return wanted >= 990 ? rounded < wanted : rounded < wanted - 3;
}

void print_cell(double value, double floor, bool main, int& missed) {
  const bool miss = misses(value, floor, main);
  missed += miss ? 1 : 0;
  if (floor < 0) {
    std::printf("  %5.3f  (    )  ", value);
  } else {
    std::printf("  %5.3f%c (%5.3f) ", value, miss ? '*' : ' ', floor);
  }
}

int print_row(const Row& row, bool floors) {
  int missed = 0;
  std::printf("%-22s %5zu", row.set.c_str(), row.questions);
  const Floor* floor = floors ? floor_of(row.set) : nullptr;
  const Measures none{-1, -1, -1, -1, -1};
  const Measures& wanted = floor == nullptr ? none : floor->value;
  print_cell(row.mean.ndcg, wanted.ndcg, true, missed);
  print_cell(row.mean.recall5, wanted.recall5, false, missed);
  print_cell(row.mean.recall10, wanted.recall10, false, missed);
  print_cell(row.mean.all5, wanted.all5, false, missed);
  print_cell(row.mean.mrr, wanted.mrr, false, missed);
  std::printf(" %6.1f %7.2f\n", row.index_seconds, row.ms);
  std::fflush(stdout);
  return missed;
}

int usage() {
  std::fprintf(
      stderr,
      "usage: quality_search DATA [--mode keyword|hybrid|title] [--set NAME]... [--misses]\n"
      "DATA is the unpacked folder of sets; NAME may be questions@corpus, such as\n"
      "xquad/ru@xquad/en. Cells that miss their floor carry a star.\n");
  return 2;
}

int run(int argc, char** argv) {
  std::string data, mode = "keyword";
  std::vector<std::string> sets;
  bool show_misses = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--mode" && i + 1 < argc) {
      mode = argv[++i];
    } else if (word == "--set" && i + 1 < argc) {
      sets.emplace_back(argv[++i]);
    } else if (word == "--misses") {
      show_misses = true;
    } else if (!word.empty() && word[0] != '-' && data.empty()) {
      data = word;
    } else {
      return usage();
    }
  }
  if (data.empty()) return usage();
  if (sets.empty()) {
    for (const Floor& floor : kFloors) sets.emplace_back(floor.set);
  }
  std::printf("mode %s; value (floor), * misses it\n", mode.c_str());
  std::printf("%-22s %5s  %-16s %-16s %-16s %-16s %-16s %5s %7s\n", "set", "n", "nDCG@10", "R@5",
              "R@10", "all gold top 5", "MRR", "idx s", "ms/q");
  int missed = 0;
  for (const std::string& set : sets) {
    const Result<Row> row = run_set(data, set, mode, show_misses);
    if (!row) {
      std::fprintf(stderr, "%s: %s\n", set.c_str(), to_line(row.error()).c_str());
      return 2;
    }
    missed += print_row(*row, mode == "keyword" || mode == "hybrid");
  }
  std::printf("%d cells miss their floor\n", missed);
  return missed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lectern::bench

int main(int argc, char** argv) { return lectern::bench::run(argc, argv); }
