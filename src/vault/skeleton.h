// Skeleton: a note's body cut down to what decides its block structure, line for line, for
// cmark to parse. Text becomes `x`; container markers, headings, fences and HTML starts
// stay. So cmark never meets inline markup (whose parsing is slow, and quadratic on hostile
// input), and what CommonMark lacks - comments, `$$` blocks, footnotes, block ids - takes
// the shape of something it has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vault/comments.h"
#include "vault/lines.h"

namespace lectern::vault {

// A body of more lines than this is parsed up to here: cmark takes some 300 bytes a line in
// the worst case.
inline constexpr uint32_t kMaxBodyLines = 1'000'000;

struct Skeleton {
  std::string text;  // line i of it is line first_line + i - 1 of the note
  uint32_t first_line = 1;
  uint32_t last_line = 0;                       // the last line it holds
  std::vector<uint32_t> comment_lines;          // nothing but comments; blank in the skeleton
  std::vector<uint32_t> block_id_lines;         // `^id` alone; blank in the skeleton
  std::unordered_set<uint32_t> math_lines;      // opening `$$` of blocks written as fences
  std::unordered_set<uint32_t> footnote_lines;  // `[^x]:`, written as list items
};

Skeleton make_skeleton(std::string_view text, const LineTable& lines, uint32_t first_line,
                       const Comments& comments);

// `^id` and nothing else: the id without '^', else "".
std::string_view lone_block_id(std::string_view content);

// Length of `[^label]:` at the start of `content`, 0 when there is none.
size_t footnote_marker(std::string_view content);

}  // namespace lectern::vault
