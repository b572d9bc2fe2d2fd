// QueryWords: which words of a query a piece of text holds. Used for highlights and, in
// src/answer, for evidence; the same rules of sameness as the index uses.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "lexical/query.h"
#include "text/language.h"
#include "text/tokenize.h"

namespace lectern::retrieve {

class WordMatcher {
 public:
  // At most 64 words of the query take part.
  WordMatcher(const lexical::ParsedQuery& query, const std::vector<text::Lang>& langs);

  // Bit i is set when `text` holds query.words[i] or one of its forms.
  uint64_t match(std::string_view text) const;

 private:
  struct StringHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return hash64(text); }
  };
  using Bits = std::unordered_map<std::string, uint64_t, StringHash, std::equal_to<>>;

  uint64_t look_up(const text::Token& token) const;

  Bits bits_;  // index term -> words it stands for
  std::vector<text::Lang> langs_;
  // First bytes of the words' forms. Stems keep a word's beginning (but for Indonesian, which
  // cuts prefixes: then every byte is let through), so other tokens need no look-up.
  std::array<bool, 256> first_byte_{};
  mutable Bits cache_;  // answers per surface form: a text repeats its words
};

}  // namespace lectern::retrieve
