// Queries of the keyword lane: from what a person typed to words, phrases, exclusions.
// No input is ever a syntax error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/language.h"
#include "text/tokenize.h"

namespace lectern::lexical {

// One word of the query: alternative index terms that count as the same word.
struct QueryWord {
  std::string surface;               // folded
  std::vector<std::string> members;  // index terms: surface, bare stems, "<lang>:<stem>"
  text::TokenKind kind = text::TokenKind::kWord;
  bool stopword = false;
  bool name = false;    // capitalised inside the question, or an identifier
  double weight = 1.0;  // 0: not scored
  // Index in ParsedQuery::words of the identifier this word is a part of, -1: none. While the
  // identifier itself occurs anywhere, its parts count kPartWeight times as much.
  int32_t part_of = -1;
  // A stop word beside other words, or a character beside its bigrams: helps the ranking,
  // but is never what a title or an answer is about.
  bool makeweight() const { return weight < 0.5; }
};
constexpr double kPartWeight = 0.3;

struct ParsedQuery {
  std::vector<QueryWord> words;                 // to be scored, each surface once
  std::vector<std::vector<QueryWord>> phrases;  // "..." : all must stand in this order
  std::vector<std::string> phrase_texts;        // folded text of each phrase
  std::vector<QueryWord> excluded;              // -word
  // -word of several index terms (unspaced scripts): a document with all of them is out.
  std::vector<std::vector<QueryWord>> excluded_runs;
  bool empty() const { return words.empty() && phrases.empty(); }
};

// `langs`: languages that hold at least 1 % of the chunks; their stems are members.
// `operators`: when false (questions), quotes and minus are ordinary text. A query that
// would hold nothing but exclusions is read as ordinary text too.
ParsedQuery parse_query(std::string_view query, const std::vector<text::Lang>& langs,
                        bool operators = true);

}  // namespace lectern::lexical
