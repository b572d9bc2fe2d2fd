// QueryWords: which words of a query a piece of text holds. Used for highlights and, in
// src/answer, for evidence; the same rules of sameness as the index uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexical/query.h"
#include "text/language.h"

namespace lectern::retrieve {

class WordMatcher {
 public:
  // At most 64 words of the query take part.
  WordMatcher(const lexical::ParsedQuery& query, const std::vector<text::Lang>& langs);

  // Bit i is set when `text` holds query.words[i] or one of its forms.
  uint64_t match(std::string_view text) const;

 private:
  std::unordered_map<std::string, uint64_t> bits_;  // index term -> words it stands for
  std::vector<text::Lang> langs_;
  // Answers per surface form: a text repeats its words.
  mutable std::unordered_map<std::string, uint64_t> cache_;
};

}  // namespace lectern::retrieve
