// Line by line: which construct a line may open, and the shortest text that says so.
#include "vault/skeleton.h"

#include <algorithm>
#include <cctype>

#include "vault/code_spans.h"
#include "vault/fence.h"

namespace lectern::vault {

namespace {

bool is_id_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// First byte of the longest tail of `line` made of one of `-*_=` and white space only.
size_t rule_tail(std::string_view line) {
  char mark = 0;
  size_t at = line.size();
  while (at > 0) {
    const char c = line[at - 1];
    if (!is_space(c)) {
      if (c != '-' && c != '*' && c != '_' && c != '=') break;
      if (mark == 0) mark = c;
      if (c != mark) break;
    }
    --at;
  }
  return mark == 0 ? line.size() : at;
}

class SkeletonWriter {
 public:
  SkeletonWriter(std::string_view text, const LineTable& lines, uint32_t first_line,
                 const Comments& comments)
      : text_(text), lines_(lines), comments_(comments) {
    out_.first_line = first_line;
    out_.text.reserve(
        (text.size() - (first_line <= lines.count() ? lines.first(first_line) : 0)) / 8 + 64);
  }

  Skeleton run() {
    out_.last_line = std::min(lines_.count(), out_.first_line + kMaxBodyLines - 1);
    for (uint32_t line = out_.first_line; line <= out_.last_line; ++line) {
      line_ = line;
      write_line(visible(line));
      out_.text.push_back('\n');
    }
    return std::move(out_);
  }

 private:
  // The line with its comments cut out; `hidden_` tells whether there were any.
  std::string_view visible(uint32_t line) {
    const uint32_t first = lines_.first(line);
    const uint32_t end = lines_.end(line);
    hidden_ = false;
    const auto& spans = comments_.closed;
    while (comment_ < spans.size() && spans[comment_].end <= first) ++comment_;
    if (comment_ >= spans.size() || spans[comment_].first >= end) return lines_.text(line);
    hidden_ = true;
    scratch_.clear();
    uint32_t at = first;
    for (size_t i = comment_; i < spans.size() && spans[i].first < end; ++i) {
      if (spans[i].first > at) scratch_ += text_.substr(at, spans[i].first - at);
      at = std::max(at, std::min(spans[i].end, end));
    }
    scratch_ += text_.substr(at, end - at);
    return scratch_;
  }

  void put(std::string_view text) { out_.text += text; }

  // Container markers as they are, but for lone CRs and the like, which cmark would take
  // for line ends.
  void put_markers(std::string_view markers) {
    for (const char c : markers) {
      out_.text.push_back(c == '\r' || c == '\v' || c == '\f' ? ' ' : c);
    }
  }

  void write_line(std::string_view line) {
    if (hidden_ && line.find_first_not_of("> \t\r\v\f") == std::string_view::npos) {
      if (!lines_.blank(line_)) out_.comment_lines.push_back(line_);
      put_markers(line);
      return;
    }
    if (math_until_ >= line_ || is_blank(line)) {
      if (math_until_ >= line_) write_math(line);
      return;
    }
    const bool fenced = fence_.feed(line);
    const size_t tail = rule_tail(line);
    const Prefix prefix = container_prefix(line.substr(0, std::max<size_t>(tail, 0)));
    if (prefix.overflow) {
      put_markers(line.substr(0, prefix.bytes));
      put("x");
      return;
    }
    if (prefix.bytes >= tail) {  // a rule, an underline, or empty list items
      put_markers(line.substr(0, prefix.bytes));
      put_markers(line.substr(tail, kMaxIndent));
      return;
    }
    const Prefix whole = container_prefix(line);
    put_markers(line.substr(0, whole.bytes));
    const std::string_view rest = line.substr(whole.bytes);
    if (rest.empty()) return;
    if (fenced ? write_fence(rest) : write_construct(rest, line.substr(0, whole.bytes))) return;
    write_text(rest);
  }

  bool write_fence(std::string_view rest) {
    if (rest[0] != '`' && rest[0] != '~') return false;
    const size_t run = run_length(rest, 0, rest[0]);
    if (run < 3 || (rest[0] == '`' && rest.find('`', run) != std::string_view::npos)) return false;
    put(rest.substr(0, run));
    if (!is_blank(rest.substr(run))) put(" x");
    return true;
  }

  bool write_construct(std::string_view rest, std::string_view markers) {
    switch (rest[0]) {
      case '#':
        return write_heading(rest);
      case '<':
        return write_html(rest);
      case '[':
        if (const size_t length = footnote_marker(rest); length > 0) {
          out_.footnote_lines.insert(line_);
          put(is_blank(rest.substr(length)) ? "1) " : "1) x");
          return true;
        }
        return false;
      case '^':
        if (lone_block_id(rest).empty() ||
            markers.find_first_not_of("> \t") != std::string_view::npos) {
          return false;
        }
        out_.block_id_lines.push_back(line_);
        return true;
      case '$':
        return rest.starts_with("$$") && open_math(rest, markers);
      default:
        return false;
    }
  }

  bool write_heading(std::string_view rest) {
    const size_t level = run_length(rest, 0, '#');
    if (level > 6 || (level < rest.size() && !is_space(rest[level]))) return false;
    put(rest.substr(0, level));
    if (!is_blank(rest.substr(level))) put(" x");
    return true;
  }

  // The line stays, so that cmark decides on the kind of HTML block; but only its first '<'
  // (and closing tags, which end some kinds) and nothing that inline parsing looks at.
  bool write_html(std::string_view rest) {
    if (rest.starts_with("<!--")) return false;  // never closed: text
    put("<");
    for (size_t i = 1; i < rest.size(); ++i) {
      const char c = rest[i];
      const auto byte = static_cast<unsigned char>(c);
      const bool keep = (byte < 0x80 && std::isalnum(byte) != 0) || c == '>' || c == '/' ||
                        c == '=' || c == '"' || c == '\'' || c == '-' || c == '?' || c == ' ' ||
                        (c == '!' && i == 1) || (c == '[' && i == 2) || (c == '[' && i == 8) ||
                        (c == ']' && rest[1] == '!') || (c == '<' && rest.substr(i + 1, 1) == "/");
      out_.text.push_back(keep ? c : (is_space(c) ? ' ' : 'x'));
    }
    return true;
  }

  // Plain text, with what may end an HTML block it stands in.
  void write_text(std::string_view rest) {
    put("x");
    const size_t angle = rest.find('>');
    if (angle == std::string_view::npos) return;
    if (rest.find("?>") != std::string_view::npos) put("?");
    if (rest.find("]]>") != std::string_view::npos) put("]]");
    put(">");
    for (const std::string_view tag : {"</script>", "</pre>", "</style>"}) {
      if (contains_tag(rest, tag)) put(tag);
    }
  }

  static bool contains_tag(std::string_view text, std::string_view tag) {
    const auto same = [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
    };
    return std::search(text.begin(), text.end(), tag.begin(), tag.end(), same) != text.end();
  }

  // `$$` that closes on a later line becomes a fence up to there.
  bool open_math(std::string_view rest, std::string_view markers) {
    if (rest.find("$$", 2) != std::string_view::npos || no_more_math_) return false;
    const size_t close = text_.find("$$", lines_.end(line_));
    if (close == std::string_view::npos) {
      no_more_math_ = true;
      return false;
    }
    const uint32_t last = lines_.line_of(static_cast<uint32_t>(close));
    // A heading inside means that the closing dollars are another formula's.
    for (uint32_t line = line_ + 1; line < last; ++line) {
      if (lines_.text(line).starts_with("# ") || lines_.text(line).starts_with("## ") ||
          lines_.text(line).starts_with("```")) {
        return false;
      }
    }
    math_until_ = last;
    out_.math_lines.insert(line_);
    put(kMathFence);
    (void)markers;
    return true;
  }

  void write_math(std::string_view line) {
    const Prefix prefix = container_prefix(line);
    std::string_view markers = line.substr(0, prefix.bytes);
    if (prefix.list_markers > 0) {  // "- b" inside a formula is a minus
      markers = markers.substr(0, markers.find_first_not_of("> \t"));
    }
    put_markers(markers);
    if (line_ == math_until_) {
      put(kMathFence);
    } else if (!is_blank(line)) {
      put("x");
    }
  }

  static constexpr std::string_view kMathFence = "~~~~~~~~~~";
  std::string_view text_;
  const LineTable& lines_;
  const Comments& comments_;
  size_t comment_ = 0;  // first comment that may reach the current line
  std::string scratch_;
  bool hidden_ = false;
  uint32_t line_ = 0;
  uint32_t math_until_ = 0;  // the closing line of an open `$$` block
  bool no_more_math_ = false;
  FenceTracker fence_;
  Skeleton out_;
};

}  // namespace

std::string_view lone_block_id(std::string_view content) {
  content = trim(content);
  if (content.size() < 2 || content[0] != '^') return {};
  content.remove_prefix(1);
  return std::all_of(content.begin(), content.end(), is_id_char) ? content : std::string_view{};
}

size_t footnote_marker(std::string_view content) {
  if (!content.starts_with("[^")) return 0;
  const size_t close = content.substr(0, 1000).find_first_of("] \t\r[", 2);
  if (close == std::string_view::npos || close == 2 || content[close] != ']') return 0;
  return close + 1 < content.size() && content[close + 1] == ':' ? close + 2 : 0;
}

Skeleton make_skeleton(std::string_view text, const LineTable& lines, uint32_t first_line,
                       const Comments& comments) {
  return SkeletonWriter(text, lines, first_line, comments).run();
}

}  // namespace lectern::vault
