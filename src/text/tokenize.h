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
};

using TokenSink = std::function<void(const Token&)>;

// Calls `sink` for every token in order of byte_first. Never fails; any bytes are input.
void tokenize(std::string_view text, const TokenSink& sink);

// The number of words as counted for a passage's length (parts, bigrams not counted twice).
uint32_t count_words(std::string_view text);

// True when `kind` counts towards a passage's length: kWord, kNumber, kIdentifier and, for
// unsegmented scripts, kBigram or a lone kUnigram are left to the implementation; see .cpp.

// Version of the token stream; stored in the index, a mismatch rebuilds the postings.
constexpr uint32_t kTokenizerVersion = 1;

}  // namespace lectern::text
