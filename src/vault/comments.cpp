// The comment scanner: one pass over the lines, code fences and code spans skipped.
#include "vault/comments.h"

#include <algorithm>
#include <string>

#include "vault/code_spans.h"
#include "vault/fence.h"

namespace lectern::vault {

namespace {

class CommentScanner {
 public:
  CommentScanner(std::string_view text, const LineTable& lines, uint32_t first_line)
      : text_(text), lines_(lines), line_(first_line), spans_(text) {}

  Comments run() {
    FenceTracker fence;
    size_t at = 0;
    for (; line_ <= lines_.count(); ++line_) {
      const size_t first = lines_.first(line_);
      const size_t end = lines_.end(line_);
      if (at >= end && at > first) continue;  // inside a comment or code span
      if (at <= first && fence.feed(lines_.text(line_))) continue;
      at = scan_line(std::max(at, first), end);
    }
    return std::move(found_);
  }

 private:
  // Scans one line; returns where to go on (past a comment's or code span's end).
  size_t scan_line(size_t at, size_t end) {
    while (at < end) {
      at = text_.find_first_of("`%<\\", at);
      if (at == std::string_view::npos || at >= end) return end;
      const size_t next = step(at);
      if (next > end) return next;
      at = next;
    }
    return at;
  }

  size_t step(size_t at) {
    const std::string_view rest = text_.substr(at);
    if (rest[0] == '\\') return at + 2;
    if (rest[0] == '`') {
      const size_t run = run_length(text_, at, '`');
      const size_t end = spans_.find_end(at, run, paragraph_end(at));
      return end == kNoSpan ? at + run : end;
    }
    if (rest.starts_with("%%")) return comment(at, "%%", 2, percent_failed_);
    if (rest.starts_with("<!--")) return comment(at, "-->", 4, html_failed_);
    return at + 1;
  }

  size_t comment(size_t at, std::string_view closer, size_t opener_length, bool& failed) {
    const size_t close = failed ? std::string_view::npos : text_.find(closer, at + opener_length);
    if (close != std::string_view::npos) {
      const size_t end = close + closer.size();
      found_.closed.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(end)});
      return end;
    }
    failed = true;
    found_.unclosed.push_back(static_cast<uint32_t>(at));
    return at + opener_length;
  }

  // Byte where the run of non-blank lines around `at` ends: a code span ends there at last.
  size_t paragraph_end(size_t at) {
    if (at < paragraph_end_) return paragraph_end_;
    uint32_t line = line_;
    while (line < lines_.count() && lines_.end(line) <= at) ++line;
    while (line < lines_.count() && !lines_.blank(line + 1)) ++line;
    paragraph_end_ = lines_.end(line);
    return paragraph_end_;
  }

  std::string_view text_;
  const LineTable& lines_;
  uint32_t line_;
  CodeSpans spans_;
  size_t paragraph_end_ = 0;
  bool percent_failed_ = false, html_failed_ = false;
  Comments found_;
};

}  // namespace

Comments find_comments(std::string_view text, const LineTable& lines, uint32_t first_line) {
  if (first_line > lines.count()) return {};
  const std::string_view body = text.substr(lines.first(first_line));
  if (body.find("%%") == std::string_view::npos && body.find("<!--") == std::string_view::npos) {
    return {};
  }
  return CommentScanner(text, lines, first_line).run();
}

void blank_comments(std::string& text) {
  const LineTable lines(text);
  const Comments comments = find_comments(text, lines, 1);
  for (const ByteSpan& span : comments.closed) {
    for (uint32_t i = span.first; i < span.end; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  if (!comments.unclosed.empty()) {
    const size_t from = comments.unclosed.front();
    const size_t end = std::min(text.find("\n\n", from), text.size());
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(from),
              text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
}

}  // namespace lectern::vault
