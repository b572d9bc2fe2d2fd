// Code span matching with a memory of failed searches, so that n unmatched runs cost n.
#include "vault/code_spans.h"

namespace lectern::vault {

size_t run_length(std::string_view text, size_t at, char c) {
  size_t end = at;
  while (end < text.size() && text[end] == c) ++end;
  return end - at;
}

size_t CodeSpans::find_end(size_t at, size_t length, size_t limit) {
  if (length > kMaxRun || failed_until_[length] >= limit) return kNoSpan;
  size_t from = at + length;
  while (from < limit) {
    const size_t tick = text_.find('`', from);
    if (tick == std::string_view::npos || tick >= limit) break;
    const size_t run = run_length(text_, tick, '`');
    if (run == length && tick + run <= limit) return tick + run;
    from = tick + run;
  }
  failed_until_[length] = limit;
  return kNoSpan;
}

}  // namespace lectern::vault
