// Matches the words of a query in text; see words.h.
#include "retrieve/words.h"

#include <algorithm>

namespace lectern::retrieve {

WordMatcher::WordMatcher(const lexical::ParsedQuery& query, const std::vector<text::Lang>& langs) {
  std::copy_if(langs.begin(), langs.end(), std::back_inserter(langs_), text::has_stemmer);
  const bool prefixes_stay =
      std::find(langs_.begin(), langs_.end(), text::Lang::kId) == langs_.end();
  first_byte_.fill(!prefixes_stay);
  const size_t count = std::min<size_t>(query.words.size(), 64);
  const auto add = [&](const std::string& term, size_t word) {
    if (term.empty()) return;
    bits_[term] |= uint64_t{1} << word;
    const size_t colon = term.find(':');  // "<lang>:<stem>"
    const size_t first = colon == 2 && term.size() > 3 ? 3 : 0;
    first_byte_[static_cast<unsigned char>(term[first])] = true;
    first_byte_[static_cast<unsigned char>(term[0])] = true;
  };
  for (size_t i = 0; i < count; ++i) {
    add(query.words[i].surface, i);
    for (const std::string& member : query.words[i].members) add(member, i);
  }
}

uint64_t WordMatcher::match(std::string_view text) const {
  uint64_t found = 0;
  text::tokenize(text, [&](const text::Token& token) {
    if (token.term.empty() || !first_byte_[static_cast<unsigned char>(token.term[0])]) return;
    if (const auto known = cache_.find(token.term); known != cache_.end()) {
      found |= known->second;
      return;
    }
    const uint64_t bits = look_up(token);
    found |= bits;
    cache_.emplace(token.term, bits);
  });
  return found;
}

uint64_t WordMatcher::look_up(const text::Token& token) const {
  uint64_t bits = 0;
  const auto look = [&](std::string_view form) {
    if (const auto hit = bits_.find(form); hit != bits_.end()) bits |= hit->second;
  };
  look(token.term);
  if (!token.stemmable) return bits;
  const std::string term(token.term);
  for (const text::Lang lang : langs_) {
    const std::string stem = text::stem(term, lang);
    if (stem != term) look(std::string(text::lang_code(lang)) + ":" + stem);
  }
  return bits;
}

}  // namespace lectern::retrieve
