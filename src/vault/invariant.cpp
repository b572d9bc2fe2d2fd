// check_invariant: written from note.h, not from the parser.
#include "vault/invariant.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace lectern::vault {

namespace {

class Checker {
 public:
  explicit Checker(const Note& note) : note_(note) {
    const std::string_view text = note.text;
    size_t at = 0;
    while (at < text.size()) {
      const size_t lf = text.find('\n', at);
      const size_t end = lf == std::string_view::npos ? text.size() : lf;
      lines_.push_back({at, end});
      at = end + 1;
    }
    owners_.assign(lines_.size(), Owner::kNone);
  }

  std::string run() {
    if (!utf8::is_valid(note_.text)) return "the text is not valid UTF-8";
    for (const auto check : {&Checker::blocks, &Checker::skips, &Checker::coverage,
                             &Checker::rebuild, &Checker::references}) {
      if (std::string fault = (this->*check)(); !fault.empty()) return fault;
    }
    return {};
  }

 private:
  enum class Owner : unsigned char { kNone, kBlock, kCanvas, kSkip };
  struct Line {
    size_t first, end;
  };

  bool blank(size_t line) const {
    const std::string_view text =
        std::string_view(note_.text)
            .substr(lines_[line].first, lines_[line].end - lines_[line].first);
    return text.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
  }
  bool in_file(uint32_t first, uint32_t last) const {
    return first >= 1 && first <= last && last <= lines_.size();
  }

  std::string blocks() {
    uint32_t previous = 0;
    for (size_t i = 0; i < note_.blocks.size(); ++i) {
      const Block& block = note_.blocks[i];
      const SourceSpan& span = block.span;
      if (!in_file(span.line_first, span.line_last))
        return fmt::format("block {}: lines {}-{}", i, span.line_first, span.line_last);
      if (lines_[span.line_first - 1].first != span.byte_first ||
          lines_[span.line_last - 1].end != span.byte_end) {
        return fmt::format("block {}: bytes do not match lines", i);
      }
      const bool canvas = block.kind == BlockKind::kCanvasText;
      if (span.line_first < previous || (span.line_first == previous && !canvas)) {
        return fmt::format("block {} at line {}: out of order or overlapping", i, span.line_first);
      }
      previous = span.line_last;
      for (uint32_t line = span.line_first; line <= span.line_last; ++line) {
        owners_[line - 1] = canvas ? Owner::kCanvas : Owner::kBlock;
      }
      if (blank(span.line_first - 1) || blank(span.line_last - 1)) {
        return fmt::format("block {} at line {}: starts or ends blank", i, span.line_first);
      }
      if (std::string fault = links_of(block, static_cast<int32_t>(i)); !fault.empty())
        return fault;
    }
    return {};
  }

  std::string links_of(const Block& block, int32_t index) const {
    const auto headings = static_cast<int32_t>(note_.headings.size());
    if (block.heading < -1 || block.heading >= headings)
      return fmt::format("block {}: heading", index);
    if (block.heading >= 0 &&
        note_.headings[static_cast<size_t>(block.heading)].line > block.span.line_first) {
      return fmt::format("block {}: its heading comes later", index);
    }
    if (block.parent < -1 || block.parent >= index) return fmt::format("block {}: parent", index);
    if (block.lead < -1 || block.lead >= index) return fmt::format("block {}: lead", index);
    uint32_t at = block.span.byte_first;
    for (const ByteSpan& hidden : block.hidden) {
      if (hidden.first < at || hidden.end < hidden.first || hidden.end > block.span.byte_end) {
        return fmt::format("block {}: hidden spans", index);
      }
      at = hidden.end;
    }
    return {};
  }

  std::string skips() {
    uint32_t previous = 0;
    for (const Skip& skip : note_.skips) {
      if (!in_file(skip.line_first, skip.line_last) || skip.line_first <= previous) {
        return fmt::format("skip at line {}: out of order", skip.line_first);
      }
      previous = skip.line_last;
      for (uint32_t line = skip.line_first; line <= skip.line_last; ++line) {
        if (owners_[line - 1] != Owner::kNone) return fmt::format("line {}: two owners", line);
        owners_[line - 1] = Owner::kSkip;
      }
      if (blank(skip.line_first - 1) || blank(skip.line_last - 1)) {
        return fmt::format("skip at line {}: starts or ends blank", skip.line_first);
      }
    }
    return {};
  }

  std::string coverage() {
    for (size_t line = 0; line < lines_.size(); ++line) {
      if (owners_[line] == Owner::kNone && !blank(line)) {
        return fmt::format("line {}: no owner", line + 1);
      }
    }
    return {};
  }

  // Blocks, skips and ownerless (blank) lines, in order of lines, must be the text.
  std::string rebuild() {
    std::string built;
    built.reserve(note_.text.size());
    const auto add = [&](std::string_view part) {
      built += part;
      if (built.size() < note_.text.size()) built.push_back('\n');
    };
    size_t block = 0;
    size_t skip = 0;
    for (uint32_t line = 1; line <= lines_.size();) {
      while (block < note_.blocks.size() && note_.blocks[block].span.line_first < line) ++block;
      while (skip < note_.skips.size() && note_.skips[skip].line_first < line) ++skip;
      if (block < note_.blocks.size() && note_.blocks[block].span.line_first == line) {
        add(note_.block_text(note_.blocks[block]));
        line = note_.blocks[block].span.line_last + 1;
      } else {
        const bool skipped = skip < note_.skips.size() && note_.skips[skip].line_first == line;
        const uint32_t last = skipped ? note_.skips[skip].line_last : line;
        const size_t first = lines_[line - 1].first;
        add(std::string_view(note_.text).substr(first, lines_[last - 1].end - first));
        line = last + 1;
      }
    }
    return built == note_.text ? std::string{} : "blocks and skips do not rebuild the text";
  }

  std::string references() {
    const auto line_ok = [&](uint32_t line) { return line >= 1 && line <= lines_.size(); };
    for (size_t i = 0; i < note_.headings.size(); ++i) {
      const Heading& heading = note_.headings[i];
      if (!line_ok(heading.line) || heading.level < 1 || heading.level > 6)
        return "a heading's line or level";
      if (heading.parent < -1 || heading.parent >= static_cast<int32_t>(i))
        return "a heading's parent";
    }
    uint32_t previous = 1;
    for (const Link& link : note_.links) {
      if (!line_ok(link.line) || link.line < previous)
        return fmt::format("link at line {}", link.line);
      previous = link.line;
      if (link.target.empty() && link.heading.empty() && link.block.empty()) return "an empty link";
    }
    for (const Property& property : note_.properties) {
      if (!line_ok(property.line)) return "a property's line";
    }
    return {};
  }

  const Note& note_;
  std::vector<Line> lines_;
  std::vector<Owner> owners_;
};

}  // namespace

std::string check_invariant(const Note& note) { return Checker(note).run(); }

}  // namespace lectern::vault
