// Character classes: what the tokenizer and the sentence splitter need to know about a code
// point. Categories come from utf8proc; only the scripts written without spaces are ranges
// here, because utf8proc has no script property.
#pragma once

#include <cstdint>

namespace lectern::text {

enum class CharClass : uint8_t {
  kOther,      // white space, punctuation, symbols, controls, malformed bytes
  kLetter,     // of a script that puts spaces between words
  kDigit,      // any number
  kMark,       // combining
  kIgnorable,  // zero width: soft hyphen, ZWSP, ZWJ, BOM, variation selectors
  kCjk,        // Han, kana, bopomofo
  kHangul,
  kSea,  // Thai, Lao, Khmer, Myanmar
};

CharClass classify(char32_t code);

bool is_upper(char32_t code);
bool is_space(char32_t code);  // Unicode white space, also controls used as such

inline bool ascii_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
inline bool ascii_digit(char c) { return c >= '0' && c <= '9'; }
inline bool ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool ascii_letter(char c) { return ascii_alnum(c) && !ascii_digit(c); }
inline char ascii_lower(char c) { return ascii_upper(c) ? static_cast<char>(c + 32) : c; }

}  // namespace lectern::text
