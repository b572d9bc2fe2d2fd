// The inline scanner. Every look-ahead is bounded (by the line, or by a constant) or
// remembers that it failed, so that no input costs more than linear time.
#include "vault/inline_scan.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "vault/code_spans.h"
#include "vault/lines.h"

namespace lectern::vault {

namespace {

constexpr size_t kMaxWikilink = 2048;  // file systems stop at 255 bytes a name
constexpr size_t kMaxDestination = 4096;
constexpr size_t kMaxTitle = 1024;
constexpr size_t kMaxTag = 512;
constexpr size_t kMaxParentheses = 32;  // as cmark
constexpr size_t kMaxLabel = 999;       // CommonMark
constexpr size_t kMaxMathInline = 1024;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "http:", "mailto:", "obsidian:" ...; one letter is a Windows drive, not a scheme.
bool has_scheme(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  size_t at = 1;
  while (at < text.size() && at < 33 &&
         (is_letter(text[at]) || is_digit(text[at]) || text[at] == '+' || text[at] == '-' ||
          text[at] == '.')) {
    ++at;
  }
  return at >= 2 && at < text.size() && text[at] == ':';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high >= 0 && low >= 0 && (high != 0 || low != 0)) {
        out.push_back(static_cast<char>(high * 16 + low));
        i += 2;
        continue;
      }
    }
    out.push_back(text[i]);
  }
  return out;
}

// CommonMark: a backslash before ASCII punctuation stands for that character.
std::string unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] > ' ' && text[i + 1] < 0x7F &&
        !is_letter(text[i + 1]) && !is_digit(text[i + 1])) {
      ++i;
    }
    out.push_back(text[i]);
  }
  return out;
}

// "A#B" or "A#^id" or "^id" -> heading and block.
void split_subpath(std::string_view subpath, Link& link) {
  const size_t caret = subpath.starts_with("^") ? 0 : subpath.find("#^");
  if (caret == std::string_view::npos) {
    link.heading = trim(subpath);
    return;
  }
  link.heading = caret == 0 ? std::string_view{} : trim(subpath.substr(0, caret));
  link.block = trim(subpath.substr(caret + (caret == 0 && subpath[0] == '^' ? 1 : 2)));
}

bool is_image_size(std::string_view text) {
  const size_t cross = text.find('x');
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
  };
  if (cross == std::string_view::npos) return digits(text);
  return digits(text.substr(0, cross)) && digits(text.substr(cross + 1));
}

class InlineScanner {
 public:
  InlineScanner(std::string_view text, uint32_t line_first, References& references, Inlines& found)
      : text_(text), line_(line_first), references_(references), found_(found), spans_(text) {}

  void run() {
    size_t at = 0;
    while (at < text_.size()) {
      if (!kSpecial[static_cast<unsigned char>(text_[at])]) {
        ++at;
        continue;
      }
      at = step(at);
    }
  }

 private:
  struct Opener {
    size_t at;
    bool image;
  };
  static constexpr std::array<bool, 256> kSpecial = [] {
    std::array<bool, 256> table{};
    for (const char c : {'\\', '`', '$', '<', '[', ']', '#', '!'}) {
      table[static_cast<unsigned char>(c)] = true;
    }
    return table;
  }();

  bool starts(size_t at, std::string_view what) const {
    return text_.substr(at, what.size()) == what;
  }

  uint32_t line_at(size_t at) {
    line_ +=
        static_cast<uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_ = at;
    return line_;
  }

  size_t step(size_t at) {
    switch (text_[at]) {
      case '\\':
        return at + 2;
      case '`': {
        const size_t run = run_length(text_, at, '`');
        const size_t end = spans_.find_end(at, run, text_.size());
        return end == kNoSpan ? at + run : end;
      }
      case '$': {
        const size_t end = math_end(text_, at, math_failed_);
        return end > 0 ? end : at + 1;
      }
      case '<': {
        const size_t end = html_tag_end(text_, at);
        return end > 0 ? end : at + 1;
      }
      case '!':
        if (starts(at + 1, "[[")) return wikilink(at + 1, true);
        if (starts(at + 1, "[")) {
          openers_.push_back({at + 1, true});
          return at + 2;
        }
        return at + 1;
      case '[':
        if (starts(at, "[[")) return wikilink(at, false);
        openers_.push_back({at, false});
        return at + 1;
      case ']':
        return close_bracket(at);
      default:
        return tag(at);
    }
  }

  // `at` on "[[". A failed one is two plain brackets.
  size_t wikilink(size_t at, bool embed) {
    const size_t first = at + 2;
    const std::string_view window = text_.substr(first, kMaxWikilink);
    for (size_t i = 0; i < window.size() && window[i] != '\n'; ++i) {
      if (window[i] == '[' && i + 1 < window.size() && window[i + 1] == '[') break;
      if (window[i] != ']' || i + 1 >= window.size() || window[i + 1] != ']') continue;
      Link link;
      if (parse_wikilink(window.substr(0, i), embed, link)) {
        link.line = line_at(at);
        found_.links.push_back(std::move(link));
      }
      return first + i + 2;
    }
    openers_.push_back({at, embed});
    return at + 1;
  }

  size_t close_bracket(size_t at) {
    if (openers_.empty()) return at + 1;
    const Opener opener = openers_.back();
    openers_.pop_back();
    std::string_view destination;
    const std::string_view label = text_.substr(opener.at + 1, at - opener.at - 1);
    if (at + 1 < text_.size() && text_[at + 1] == '(') {
      const size_t end = parse_link_tail(text_, at + 1, destination);
      if (end > 0) {
        Link link;
        if (parse_destination(destination, link)) add_markdown(std::move(link), label, opener);
        if (!opener.image) openers_.clear();  // no links inside links
        return end;
      }
    }
    return reference_link(at, label, opener);
  }

  size_t reference_link(size_t at, std::string_view label, const Opener& opener) {
    if (references_.empty() || label.size() > kMaxLabel) return at + 1;
    size_t end = at + 1;
    std::string_view key = label;
    if (starts(at + 1, "[")) {
      const size_t close = text_.substr(at + 2, kMaxLabel).find_first_of("[]");
      if (close != std::string_view::npos && text_[at + 2 + close] == ']') {
        if (close > 0) key = text_.substr(at + 2, close);
        end = at + 3 + close;
      }
    }
    const auto found = references_.find(reference_label(key));
    if (found == references_.end()) return at + 1;
    found->second.used = true;
    Link link;
    if (parse_destination(found->second.target, link)) {
      add_markdown(std::move(link), label, opener);
    }
    if (!opener.image) openers_.clear();
    return end;
  }

  void add_markdown(Link link, std::string_view label, const Opener& opener) {
    link.syntax = LinkSyntax::kMarkdown;
    link.embed = opener.image;
    if (!(opener.image && is_image_size(trim(label))) && label.size() <= kMaxLabel) {
      link.alias = trim(label);
    }
    // Links inside this one's text came first; lines still grow because counting goes on.
    link.line = opener.at >= counted_ ? line_at(opener.at) : line_;
    found_.links.push_back(std::move(link));
  }

  size_t tag(size_t at) {
    const bool free = at == 0 || is_space(text_[at - 1]) || text_[at - 1] == '>';
    if (!free) return at + 1;
    const size_t length = tag_length(text_, at + 1);
    if (length == 0) return at + 1;
    found_.tags.emplace_back(text_.substr(at + 1, length));
    return at + 1 + length;
  }

  std::string_view text_;
  uint32_t line_;
  size_t counted_ = 0;  // lines are counted up to here
  References& references_;
  Inlines& found_;
  CodeSpans spans_;
  bool math_failed_ = false;
  std::vector<Opener> openers_;
};

}  // namespace

std::string reference_label(std::string_view label) {
  std::string out;
  label = trim(label);
  if (label.size() > kMaxLabel) return out;
  for (size_t i = 0; i < label.size(); ++i) {
    const char c = label[i];
    if (is_space(c)) {
      if (!out.ends_with(' ')) out.push_back(' ');
    } else {
      out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  return out;
}

bool parse_wikilink(std::string_view inside, bool embed, Link& link) {
  link.syntax = LinkSyntax::kWiki;
  link.embed = embed;
  std::string_view path = inside;
  if (const size_t pipe = inside.find('|'); pipe != std::string_view::npos) {
    path = inside.substr(0, pipe);
    if (path.ends_with('\\')) path.remove_suffix(1);  // `\|` in a table
    std::string_view alias = trim(inside.substr(pipe + 1));
    if (embed) {
      // "caption|100": the last part is a size.
      const size_t last = alias.rfind('|');
      if (last != std::string_view::npos && is_image_size(trim(alias.substr(last + 1)))) {
        alias = trim(alias.substr(0, last));
      }
      if (alias.ends_with('\\')) alias.remove_suffix(1);
    }
    if (!(embed && is_image_size(alias))) link.alias = alias;
  }
  path = trim(path);
  if (path.find("://") != std::string_view::npos && has_scheme(path)) return false;
  if (path.starts_with("mailto:")) return false;
  const size_t hash = path.find('#');
  if (hash != std::string_view::npos) split_subpath(path.substr(hash + 1), link);
  link.target = trim(path.substr(0, hash));
  return !(link.target.empty() && link.heading.empty() && link.block.empty());
}

bool parse_destination(std::string_view destination, Link& link) {
  destination = trim(destination);
  if (destination.empty() || has_scheme(destination) || destination.starts_with("//")) {
    return false;
  }
  link.syntax = LinkSyntax::kMarkdown;
  const std::string plain = unescape(destination);
  const size_t hash = plain.find('#');
  link.target = trim(percent_decode(std::string_view(plain).substr(0, hash)));
  if (hash != std::string::npos) {
    split_subpath(percent_decode(std::string_view(plain).substr(hash + 1)), link);
  }
  return !(link.target.empty() && link.heading.empty() && link.block.empty());
}

size_t tag_length(std::string_view text, size_t at) {
  // Letters, marks, digits, symbols (emoji), and the joiners of emoji sequences.
  static const re2::RE2 kTag("^[\\p{L}\\p{M}\\p{N}\\p{So}\\p{Sk}\\x{200D}\\x{FE0F}_/-]+");
  if (at >= text.size() || is_space(text[at]) || text[at] == '#') return 0;
  const std::string_view window = text.substr(at, kMaxTag);
  re2::StringPiece rest(window.data(), window.size());
  if (!re2::RE2::Consume(&rest, kTag)) return 0;
  std::string_view tag = window.substr(0, window.size() - rest.size());
  while (tag.ends_with('/')) tag.remove_suffix(1);
  const bool only_digits = std::all_of(tag.begin(), tag.end(), is_digit);
  return only_digits || tag.starts_with('/') ? 0 : tag.size();
}

size_t parse_link_tail(std::string_view text, size_t open, std::string_view& destination) {
  const auto skip_space = [&](size_t at) {
    size_t breaks = 0;
    while (at < text.size() && is_space(text[at])) {
      if (text[at] == '\n' && ++breaks > 1) return text.size();
      ++at;
    }
    return at;
  };
  size_t at = skip_space(open + 1);
  if (at >= text.size()) return 0;
  if (text[at] == '<') {
    const size_t close = text.substr(at + 1, kMaxDestination).find_first_of("<>\n");
    if (close == std::string_view::npos || text[at + 1 + close] != '>') return 0;
    destination = text.substr(at + 1, close);
    at += close + 2;
  } else {
    const size_t first = at;
    size_t depth = 0;
    const size_t limit = std::min(text.size(), at + kMaxDestination);
    for (; at < limit && !is_space(text[at]); ++at) {
      if (text[at] == '\\' && at + 1 < limit && !is_space(text[at + 1])) {
        ++at;
      } else if (text[at] == '(') {
        if (++depth > kMaxParentheses) return 0;
      } else if (text[at] == ')') {
        if (depth == 0) break;
        --depth;
      }
    }
    if (at == first + kMaxDestination || depth != 0) return 0;
    destination = text.substr(first, std::min(at, text.size()) - first);
  }
  const size_t after = skip_space(at);
  if (after >= text.size()) return 0;
  if (text[after] == ')') return after + 1;
  if (after == at) return 0;
  const char quote = text[after];
  if (quote != '"' && quote != '\'' && quote != '(') return 0;
  const char closer = quote == '(' ? ')' : quote;
  const size_t close = text.substr(after + 1, kMaxTitle).find(closer);
  if (close == std::string_view::npos) return 0;
  const size_t end = skip_space(after + close + 2);
  return end < text.size() && text[end] == ')' ? end + 1 : 0;
}

size_t html_tag_end(std::string_view text, size_t at) {
  if (at + 1 >= text.size()) return 0;
  const char next = text[at + 1];
  if (!is_letter(next) && next != '/' && next != '!') return 0;
  const size_t close = text.substr(at + 1, kMaxDestination).find_first_of("<>\n");
  return close != std::string_view::npos && text[at + 1 + close] == '>' ? at + close + 2 : 0;
}

size_t math_end(std::string_view text, size_t at, bool& failed) {
  if (text.substr(at, 2) == "$$") {
    const size_t close = failed ? std::string_view::npos : text.find("$$", at + 2);
    if (close == std::string_view::npos) {
      failed = true;
      return 0;
    }
    return close + 2;
  }
  // Obsidian: no white space inside the dollars, no digit after the closing one.
  if (at + 1 >= text.size() || is_space(text[at + 1])) return 0;
  const std::string_view window = text.substr(at + 1, kMaxMathInline);
  for (size_t i = 0; i < window.size(); ++i) {
    if (window[i] == '\n') return 0;
    if (window[i] == '\\') {
      ++i;
    } else if (window[i] == '$') {
      if (i == 0 || is_space(window[i - 1])) return 0;
      if (i + 1 < window.size() && is_digit(window[i + 1])) return 0;
      return at + 1 + i + 1;
    }
  }
  return 0;
}

void scan_inlines(std::string_view text, uint32_t line_first, References& references,
                  Inlines& found) {
  InlineScanner(text, line_first, references, found).run();
}

}  // namespace lectern::vault
