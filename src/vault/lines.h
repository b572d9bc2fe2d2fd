// LineTable: where each line of a text starts and ends. Lines are 1-based and end at LF
// only, so that every line number is the file's own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lectern::vault {

// White space only: space, tab, CR, VT, FF. What "blank" means everywhere in this folder.
bool is_blank(std::string_view text);
inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}
std::string_view trim(std::string_view text);

// Refers to the text; the text must outlive it. At most 4 GiB.
class LineTable {
 public:
  explicit LineTable(std::string_view text);

  uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }
  uint32_t first(uint32_t line) const { return starts_[line - 1]; }
  uint32_t end(uint32_t line) const;  // before its LF
  std::string_view text(uint32_t line) const {
    return text_.substr(first(line), end(line) - first(line));
  }
  bool blank(uint32_t line) const { return is_blank(text(line)); }
  uint32_t line_of(uint32_t byte) const;  // the line that holds it; 1 when there is none

 private:
  std::string_view text_;
  std::vector<uint32_t> starts_;
};

}  // namespace lectern::vault
