// Text as a person reads it: markup stripped from blocks and lines.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "vault/code_spans.h"
#include "vault/fence.h"
#include "vault/inline_scan.h"
#include "vault/lines.h"
#include "vault/parse.h"
#include "vault/skeleton.h"

namespace lectern::vault {

namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}
bool is_punctuation(char c) {
  return static_cast<unsigned char>(c) < 0x80 && std::ispunct(static_cast<unsigned char>(c)) != 0;
}

// Pairs of emphasis marks (* _ ~~ ==) among the runs met so far; linear, because an opener
// is looked up by mark and length.
class Emphasis {
 public:
  // A run of `length` marks at output position `at`.
  void add(std::string_view text, size_t source, size_t at, char mark, size_t length) {
    if (length > 3 || ((mark == '~' || mark == '=') && length != 2)) return;
    const char before = source == 0 ? ' ' : text[source - 1];
    const char after = source + length < text.size() ? text[source + length] : ' ';
    bool opens = !is_space(after);
    bool closes = !is_space(before);
    if (mark == '_') {
      opens = opens && !is_word(before);
      closes = closes && !is_word(after);
    }
    std::vector<size_t>& open = openers_[slot(mark, length)];
    if (closes && !open.empty()) {
      removed_.push_back({open.back(), length});
      removed_.push_back({at, length});
      open.pop_back();
    } else if (opens) {
      open.push_back(at);
    }
  }

  void strip(std::string& out) {
    if (removed_.empty()) return;
    std::sort(removed_.begin(), removed_.end());
    std::string kept;
    size_t from = 0;
    for (const auto& [at, length] : removed_) {
      kept.append(out, from, at - from);
      from = at + length;
    }
    kept.append(out, from, std::string::npos);
    out = std::move(kept);
  }

 private:
  static size_t slot(char mark, size_t length) {
    const size_t kind = mark == '*' ? 0 : mark == '_' ? 1 : mark == '~' ? 2 : 3;
    return kind * 3 + length - 1;
  }
  std::array<std::vector<size_t>, 12> openers_;
  std::vector<std::pair<size_t, size_t>> removed_;
};

class Stripper {
 public:
  explicit Stripper(std::string_view text) : text_(text), spans_(text) {}

  std::string run() {
    for (size_t at = 0; at < text_.size();) at = step(at);
    // Openers that no link closed stand as they are; drop what links removed.
    emphasis_.strip(out_);
    return std::move(out_);
  }

 private:
  bool starts(size_t at, std::string_view what) const {
    return text_.substr(at, what.size()) == what;
  }

  size_t step(size_t at) {
    const char c = text_[at];
    switch (c) {
      case '\\':
        if (at + 1 < text_.size() && is_punctuation(text_[at + 1])) {
          out_.push_back(text_[at + 1]);
          return at + 2;
        }
        break;
      case '`':
        return code(at);
      case '$': {
        if (const size_t end = math_end(text_, at, math_failed_); end > 0) {
          out_ += text_.substr(at, end - at);
          return end;
        }
        break;
      }
      case '<':
        return tag(at);
      case '!':
        if (starts(at + 1, "[[")) {
          if (const size_t end = wikilink(at + 1, true); end > 0) return end;
        }
        if (starts(at + 1, "[") && bracket(at + 1) > 0) return at + 1;
        break;
      case '[':
        if (starts(at, "[[")) {
          if (const size_t end = wikilink(at, false); end > 0) return end;
        }
        if (const size_t label = footnote_reference(at); label > 0) return label;
        if (bracket(at) > 0) return at + 1;
        break;
      case ']':
        if (!link_ends_.empty() && link_ends_.back().first == at) {
          const size_t end = link_ends_.back().second;
          link_ends_.pop_back();
          return end;
        }
        break;
      case '*':
      case '_':
      case '~':
      case '=': {
        const size_t run = run_length(text_, at, c);
        emphasis_.add(text_, at, out_.size(), c, run);
        out_ += text_.substr(at, run);
        return at + run;
      }
      default:
        break;
    }
    out_.push_back(c);
    return at + 1;
  }

  size_t code(size_t at) {
    const size_t run = run_length(text_, at, '`');
    const size_t end = spans_.find_end(at, run, text_.size());
    if (end == kNoSpan) {
      out_ += text_.substr(at, run);
      return at + run;
    }
    std::string_view inside = text_.substr(at + run, end - at - 2 * run);
    if (inside.size() > 2 && inside.front() == ' ' && inside.back() == ' ') {
      inside = inside.substr(1, inside.size() - 2);
    }
    out_ += inside;
    return end;
  }

  size_t tag(size_t at) {
    const size_t end = html_tag_end(text_, at);
    if (end == 0) {
      out_.push_back('<');
      return at + 1;
    }
    const std::string_view inside = text_.substr(at + 1, end - at - 2);
    const size_t colon = inside.find_first_of(":@");
    if (colon != std::string_view::npos &&
        inside.find_first_of(" \t\"") == std::string_view::npos) {
      out_ += inside;  // an autolink
    } else if (inside.starts_with("br")) {
      out_.push_back(' ');
    }
    return end;
  }

  // `at` on "[[": writes alias, or "Note > Heading". Returns its end, 0 when it is none.
  size_t wikilink(size_t at, bool embed) {
    const std::string_view window = text_.substr(at + 2, 2048);
    const size_t close = window.find("]]");
    if (close == std::string_view::npos) return 0;
    const std::string_view inside = window.substr(0, close);
    if (inside.find('\n') != std::string_view::npos ||
        inside.find("[[") != std::string_view::npos) {
      return 0;
    }
    Link link;
    if (!parse_wikilink(inside, embed, link)) {
      out_ += inside;
    } else if (!link.alias.empty()) {
      out_ += link.alias;
    } else {
      std::string shown = link.target;
      for (const char c : link.heading) {
        if (c == '#')
          shown += " > ";
        else if (shown.size() == link.target.size() && !link.target.empty())
          shown += std::string(" > ") + c;
        else
          shown.push_back(c);
      }
      out_ += shown;
    }
    return at + 2 + close + 2;
  }

  size_t footnote_reference(size_t at) const {
    if (!starts(at, "[^")) return 0;
    const size_t close = text_.substr(at, 200).find_first_of("] \n", 2);
    if (close == std::string_view::npos || close == 2 || text_[at + close] != ']') return 0;
    return at + close + 1;
  }

  // `at` on '[' of a Markdown link: remembers where its `](...)` stands. Returns 0 when it
  // is no link. The brackets of the whole text are matched once.
  size_t bracket(size_t at) {
    if (!matched_) match_brackets();
    const auto found =
        std::lower_bound(links_.begin(), links_.end(), at,
                         [](const LinkText& link, size_t open) { return link.open < open; });
    if (found == links_.end() || found->open != at) return 0;
    link_ends_.emplace_back(found->close, found->end);
    return found->end;
  }

  // `[label]` at `at`, after a link's text: its end, 0 when there is none.
  size_t reference_tail(size_t at) const {
    const size_t close = text_.substr(at + 1, 999).find_first_of("[]\n");
    return close != std::string_view::npos && text_[at + 1 + close] == ']' ? at + close + 2 : 0;
  }

  struct LinkText {
    size_t open, close, end;
  };

  void match_brackets() {
    matched_ = true;
    std::vector<size_t> open;
    for (size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] == '\\') {
        ++at;
      } else if (text_[at] == '[') {
        open.push_back(at);
      } else if (text_[at] == ']' && !open.empty()) {
        const size_t first = open.back();
        open.pop_back();
        std::string_view destination;
        size_t end = 0;
        if (starts(at + 1, "(")) end = parse_link_tail(text_, at + 1, destination);
        if (starts(at + 1, "[")) end = reference_tail(at + 1);
        if (end > 0) {
          links_.push_back({first, at, end});
          at = end - 1;
        }
      }
    }
    std::sort(links_.begin(), links_.end(),
              [](const LinkText& a, const LinkText& b) { return a.open < b.open; });
  }

  std::string_view text_;
  CodeSpans spans_;
  Emphasis emphasis_;
  bool math_failed_ = false, matched_ = false;
  std::vector<LinkText> links_;
  std::vector<std::pair<size_t, size_t>> link_ends_;  // open links: where they close and end
  std::string out_;
};

std::string_view without_task_box(std::string_view text) {
  if (text.size() > 3 && text[0] == '[' && text[2] == ']' && is_space(text[3])) {
    return trim(text.substr(4));
  }
  return text;
}

std::string_view without_block_id(std::string_view text) {
  const size_t caret = text.rfind('^');
  if (caret == std::string_view::npos || caret == 0 || !is_space(text[caret - 1])) return text;
  return lone_block_id(text.substr(caret)).empty() ? text : trim(text.substr(0, caret));
}

// A line without its container markers; a list marker only where `item` allows one.
std::string_view without_markers(std::string_view line, bool item) {
  if (item) return trim(line.substr(container_prefix(line).bytes));
  const size_t first = line.find_first_not_of("> \t\r");
  return first == std::string_view::npos ? std::string_view{} : trim(line.substr(first));
}

std::string_view without_callout_type(std::string_view text) {
  if (!text.starts_with("[!")) return text;
  const size_t close = text.substr(0, 200).find(']');
  if (close == std::string_view::npos) return text;
  text = text.substr(close + 1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return trim(text);
}

std::string_view without_heading_marks(std::string_view text) {
  const size_t level = run_length(text, 0, '#');
  if (level == 0 || level > 6) return text;
  text = trim(text.substr(level));
  const size_t end = text.find_last_not_of('#');
  if (end == std::string_view::npos) return {};
  return end + 1 < text.size() && is_space(text[end]) ? trim(text.substr(0, end)) : text;
}

bool is_fence_line(std::string_view line) {
  const std::string_view text = line.substr(container_prefix(line).bytes);
  return !text.empty() && (text[0] == '`' || text[0] == '~') && run_length(text, 0, text[0]) >= 3;
}

std::string join_cells(std::string_view row) {
  std::string out;
  for (const std::string& cell : table_cells(row)) {
    if (!out.empty()) out += " | ";
    out += strip_inline(cell);
  }
  return out;
}

std::string plain_code(std::string_view text) {
  const LineTable lines(text);
  std::string out;
  for (uint32_t line = 1; line <= lines.count(); ++line) {
    const bool edge = line == 1 || line == lines.count();
    if (edge && is_fence_line(lines.text(line))) continue;
    if (!out.empty()) out.push_back('\n');
    out += lines.text(line);
  }
  return out;
}

std::string plain_math(std::string_view text) {
  std::string out(trim(text));
  for (size_t at = out.find("$$"); at != std::string::npos; at = out.find("$$", at))
    out.erase(at, 2);
  return std::string(trim(out));
}

// One line of running text, markers off. `first`: the block's first line.
std::string_view bare_line(std::string_view line, BlockKind kind, bool first) {
  switch (kind) {
    case BlockKind::kListItem:
      return first ? without_task_box(without_markers(line, true)) : without_markers(line, false);
    case BlockKind::kQuote:
      return without_markers(line, true);
    case BlockKind::kCallout:
      return first ? without_callout_type(without_markers(line, true))
                   : without_markers(line, true);
    case BlockKind::kFootnote: {
      const std::string_view text = without_markers(line, false);
      return first ? trim(text.substr(footnote_marker(text))) : text;
    }
    case BlockKind::kHeading:
      return without_heading_marks(without_markers(line, false));
    default:
      return trim(line);
  }
}

bool is_setext_underline(std::string_view line) {
  line = trim(line);
  return !line.empty() && (line.find_first_not_of('=') == std::string_view::npos ||
                           line.find_first_not_of('-') == std::string_view::npos);
}

}  // namespace

std::string strip_inline(std::string_view markdown) { return Stripper(markdown).run(); }

std::string visible_text(const Note& note, const Block& block) {
  std::string text(note.block_text(block));
  for (const ByteSpan& span : block.hidden) {
    for (uint32_t at = span.first; at < span.end; ++at) {
      char& c = text[at - block.span.byte_first];
      if (c != '\n') c = ' ';
    }
  }
  return text;
}

std::string plain_text(const Note& note, const Block& block) {
  if (block.kind == BlockKind::kCanvasText) return block.unescaped;
  const std::string text = visible_text(note, block);
  if (block.kind == BlockKind::kCode) return plain_code(text);
  if (block.kind == BlockKind::kMath) return plain_math(text);
  if (block.kind == BlockKind::kProperty) return text;
  if (block.kind == BlockKind::kTableHeader || block.kind == BlockKind::kTableRow) {
    return join_cells(text);
  }
  const LineTable lines(text);
  std::string out;
  for (uint32_t line = 1; line <= lines.count(); ++line) {
    const bool last = line == lines.count();
    if (block.kind == BlockKind::kHeading && last && line > 1 &&
        is_setext_underline(lines.text(line))) {
      break;
    }
    std::string_view bare = bare_line(lines.text(line), block.kind, line == 1);
    if (last) bare = without_block_id(bare);
    if (bare.empty()) continue;
    if (!out.empty()) out.push_back('\n');
    out += bare;
  }
  return std::string(trim(strip_inline(out)));
}

std::vector<std::string> heading_path(const Note& note, int32_t heading) {
  std::vector<std::string> path;
  while (heading >= 0 && static_cast<size_t>(heading) < note.headings.size()) {
    path.push_back(note.headings[static_cast<size_t>(heading)].text);
    heading = note.headings[static_cast<size_t>(heading)].parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::string stem_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot > 0) name = name.substr(0, dot);
  return std::string(name);
}

}  // namespace lectern::vault
