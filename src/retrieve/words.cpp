// Matches the words of a query in text; see words.h.
#include "retrieve/words.h"

#include <algorithm>

#include "text/tokenize.h"

namespace lectern::retrieve {

WordMatcher::WordMatcher(const lexical::ParsedQuery& query, const std::vector<text::Lang>& langs)
    : langs_(langs) {
  const size_t count = std::min<size_t>(query.words.size(), 64);
  for (size_t i = 0; i < count; ++i) {
    bits_[query.words[i].surface] |= uint64_t{1} << i;
    for (const std::string& member : query.words[i].members) bits_[member] |= uint64_t{1} << i;
  }
}

uint64_t WordMatcher::match(std::string_view text) const {
  uint64_t found = 0;
  text::tokenize(text, [&](const text::Token& token) {
    std::string term(token.term);
    if (const auto known = cache_.find(term); known != cache_.end()) {
      found |= known->second;
      return;
    }
    uint64_t bits = 0;
    const auto look = [&](const std::string& form) {
      if (const auto hit = bits_.find(form); hit != bits_.end()) bits |= hit->second;
    };
    look(term);
    for (const text::Lang lang : langs_) {
      if (!token.stemmable || !text::has_stemmer(lang)) continue;
      const std::string stem = text::stem(term, lang);
      if (stem != term) look(std::string(text::lang_code(lang)) + ":" + stem);
    }
    found |= bits;
    cache_.emplace(std::move(term), bits);
  });
  return found;
}

}  // namespace lectern::retrieve
