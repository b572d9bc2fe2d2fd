// Code spans: where a run of backticks finds its closing run, in linear time over a whole
// text. Shared by the comment, link and markup scanners, which must all skip code.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace lectern::vault {

inline constexpr size_t kNoSpan = static_cast<size_t>(-1);

// Length of the run of `c` at `at`.
size_t run_length(std::string_view text, size_t at, char c);

class CodeSpans {
 public:
  explicit CodeSpans(std::string_view text) : text_(text) {}

  // `at` stands on the first backtick of a run of `length`. The end of the span (past the
  // closing run), which lies before `limit`; kNoSpan when there is none. Calls must come
  // with growing `at`. Runs over 80 never match, as in cmark: that keeps the cost linear.
  size_t find_end(size_t at, size_t length, size_t limit);

 private:
  static constexpr size_t kMaxRun = 80;
  std::string_view text_;
  std::array<size_t, kMaxRun + 1> failed_until_{};  // no closing run of that length before
};

}  // namespace lectern::vault
