// LineTable and the one definition of a blank line.
#include "vault/lines.h"

#include <algorithm>
#include <cstring>

namespace lectern::vault {

bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

LineTable::LineTable(std::string_view text) : text_(text) {
  for (size_t at = 0; at < text.size();) {
    starts_.push_back(static_cast<uint32_t>(at));
    const void* lf = std::memchr(text.data() + at, '\n', text.size() - at);
    if (lf == nullptr) break;
    at = static_cast<size_t>(static_cast<const char*>(lf) - text.data()) + 1;
  }
}

uint32_t LineTable::end(uint32_t line) const {
  const size_t next = line < starts_.size() ? starts_[line] : text_.size() + 1;
  const bool unterminated = line == starts_.size() && !text_.ends_with('\n');
  if (line == starts_.size() && !unterminated) return static_cast<uint32_t>(text_.size() - 1);
  return static_cast<uint32_t>(next - 1);
}

uint32_t LineTable::line_of(uint32_t byte) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), byte);
  return std::max<uint32_t>(1, static_cast<uint32_t>(after - starts_.begin()));
}

}  // namespace lectern::vault
