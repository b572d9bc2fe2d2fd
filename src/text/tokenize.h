// Tokens: what the keyword index and every lexical comparison count as words.
//
// Words are maximal runs of letters, digits and marks, folded (text/normalize.h).
// Identifiers (`INC-0417`, `src/main.py`, `@scope/pkg`, `1.0.21`, `GB/s`, `don't`,
// `ask-codex`, `snake_case`, `camelCase`) give the whole (folded, joiners kept) and its
// parts at the same positions. Han, kana and Thai give unigrams and bigrams; Hangul
// gives the word and its bigrams.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lectern::text {

enum class TokenKind : uint8_t { kWord, kNumber, kIdentifier, kPart, kUnigram, kBigram };

struct Token {
  std::string_view term;  // folded; valid only during the call
  TokenKind kind = TokenKind::kWord;
  uint32_t position = 0;    // ordinal of the word; parts and whole share the first's position
  uint32_t byte_first = 0;  // in the input
  uint32_t byte_last = 0;   // one past
  bool in_length = false;   // adds one to the passage's length (wholes, not their parts)
  bool atom = false;        // a maximal run without joiners, or a character of an unspaced
                            // script: the sequence of atoms is what a phrase is compared by
  bool stemmable = false;   // letters only: has a stem in the languages that have stemmers
};

using TokenSink = std::function<void(const Token&)>;

// Calls `sink` for every token in order of byte_first. Never fails; any bytes are input.
void tokenize(std::string_view text, const TokenSink& sink);

// The number of words as counted for a passage's length (parts, bigrams not counted twice).
uint32_t count_words(std::string_view text);

// The atoms of `text` with a space before, between and after: two texts hold the same phrase
// when one's atoms are a substring of the other's. Hangul words are taken apart. Empty when
// there is no atom.
std::string atom_string(std::string_view text);

// Terms are at most this long; a longer one ends in a hash of the whole.
constexpr size_t kMaxTermBytes = 64;

// Version of the token stream; stored in the index, a mismatch rebuilds the postings.
constexpr uint32_t kTokenizerVersion = 1;

}  // namespace lectern::text
