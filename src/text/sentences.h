// Sentences: byte ranges of sentences in a passage, in any script.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lectern::text {

struct ByteRange {
  uint32_t first = 0, last = 0;  // half-open
  bool operator==(const ByteRange&) const = default;
};

// Splits at . ! ? … 。！？ ।  and at blank lines; keeps abbreviations (Dr., z. B., т. е.,
// e.g., initials), decimals, versions, ellipses, URLs and quotes together. A soft line
// break does not end a sentence. Ranges are trimmed of white space, in order, not
// overlapping, and together cover every non-blank character.
std::vector<ByteRange> split_sentences(std::string_view text);

}  // namespace lectern::text
