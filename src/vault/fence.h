// FenceTracker: a light view of fenced code while lines stream by, for the stages that run
// before cmark (comments, math, block ids). It follows explicit closing fences and the end
// of an enclosing quote; cmark has the last word on blocks.
#pragma once

#include <cstdint>
#include <string_view>

namespace lectern::vault {

// Number of bytes of container markers at the start of a line: white space, '>', list
// markers ('-', '+', '*', '1.', '1)' before white space or the end). At most
// `kMaxMarkers` markers and `kMaxIndent` columns; `quotes` gets the number of '>'.
struct Prefix {
  size_t bytes = 0;
  uint32_t quotes = 0;
  uint32_t list_markers = 0;
  bool overflow = false;  // the cap was hit: the rest is text
};
inline constexpr uint32_t kMaxMarkers = 24;
inline constexpr uint32_t kMaxIndent = 120;
Prefix container_prefix(std::string_view line);

// Length of a list marker at the start of `text` ("- " gives 1, "12) " gives 3); 0: none.
size_t list_marker(std::string_view text);

class FenceTracker {
 public:
  // Feeds the next line; true when it is a fence or inside one.
  bool feed(std::string_view line);

 private:
  char mark_ = 0;  // 0: outside
  size_t length_ = 0;
  uint32_t quotes_ = 0;
};

}  // namespace lectern::vault
