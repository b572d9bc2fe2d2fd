// The folded form of text: what two spellings must share to be the same word.
#pragma once

#include <string>
#include <string_view>

namespace lectern::text {

// NFKC, full case folding (ß -> ss), then accents of Latin, Greek and Cyrillic letters
// removed (but й, ё keep their letter identity as й -> и, ё -> е for matching). Marks
// that carry meaning (Thai vowels, Indic matras, Hangul) stay. Input need not be valid
// UTF-8 (malformed bytes become U+FFFD); ASCII is handled without utf8proc.
std::string fold(std::string_view text);

// NFC only, for comparing file names and link targets.
std::string nfc(std::string_view text);

// NFC + case folding, accents kept: link targets, tags, headings.
std::string fold_case(std::string_view text);

}  // namespace lectern::text
