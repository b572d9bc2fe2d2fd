// UTF-8 decoding and repair. Everything above works on valid UTF-8; this is where
// foreign bytes become that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lectern::utf8 {

constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code = 0;
  uint32_t bytes = 1;  // length of the (possibly malformed) sequence, at least 1
  bool valid = true;
};

// Decodes the sequence that starts at `text[at]`; `at` < size. A malformed sequence
// gives U+FFFD and the length of its maximal subpart (Unicode 15, section 3.9, table
// 3-8), as browsers and Python's errors="replace" do.
Decoded decode(std::string_view text, size_t at);

void append(std::string& out, char32_t code);

bool is_valid(std::string_view text);

// Valid UTF-8 with each malformed sequence replaced by U+FFFD. `replaced` counts them.
std::string repair(std::string_view bytes, uint64_t& replaced);

// UTF-16 (without its byte-order mark) to UTF-8; lone surrogates become U+FFFD.
std::string from_utf16(std::string_view bytes, bool big_endian, uint64_t& replaced);

// Length of the longest prefix of at most `limit` bytes that ends between characters.
size_t floor_boundary(std::string_view text, size_t limit);

}  // namespace lectern::utf8
