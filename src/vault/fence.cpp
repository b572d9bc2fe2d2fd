// Container prefixes of a line and the fence state machine.
#include "vault/fence.h"

#include "vault/code_spans.h"
#include "vault/lines.h"

namespace lectern::vault {

size_t list_marker(std::string_view text) {
  if (text.empty()) return 0;
  size_t length = 0;
  if (text[0] == '-' || text[0] == '+' || text[0] == '*') {
    length = 1;
  } else {
    while (length < text.size() && length < 10 && text[length] >= '0' && text[length] <= '9') {
      ++length;
    }
    if (length == 0 || length > 9 || length >= text.size()) return 0;
    if (text[length] != '.' && text[length] != ')') return 0;
    ++length;
  }
  return length == text.size() || is_space(text[length]) ? length : 0;
}

Prefix container_prefix(std::string_view line) {
  Prefix prefix;
  uint32_t columns = 0;
  size_t at = 0;
  while (at < line.size()) {
    if (is_space(line[at])) {
      columns += line[at] == '\t' ? 4 : 1;
      ++at;
    } else if (line[at] == '>') {
      ++prefix.quotes;
      ++at;
    } else if (const size_t marker = list_marker(line.substr(at)); marker > 0) {
      ++prefix.list_markers;
      at += marker;
    } else {
      break;
    }
    if (columns > kMaxIndent || prefix.quotes + prefix.list_markers > kMaxMarkers) {
      prefix.overflow = true;
      break;
    }
  }
  prefix.bytes = at;
  return prefix;
}

bool FenceTracker::feed(std::string_view line) {
  const Prefix prefix = container_prefix(line);
  const std::string_view rest = line.substr(prefix.bytes);
  if (mark_ != 0 && prefix.quotes < quotes_) mark_ = 0;  // the quote ended, and the fence
  if (rest.empty() || (rest[0] != '`' && rest[0] != '~')) return mark_ != 0;
  const size_t run = run_length(rest, 0, rest[0]);
  if (mark_ != 0) {
    if (rest[0] == mark_ && run >= length_ && is_blank(rest.substr(run))) mark_ = 0;
    return true;
  }
  if (run < 3) return false;
  if (rest[0] == '`' && rest.find('`', run) != std::string_view::npos) return false;
  mark_ = rest[0];
  length_ = run;
  quotes_ = prefix.quotes;
  return true;
}

}  // namespace lectern::vault
