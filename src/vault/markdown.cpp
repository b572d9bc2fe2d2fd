// The walk over cmark's block tree. Iterative, with its own stack: the tree may be as deep
// as the skeleton lets it. Positions from cmark are clamped to the body; lines that it
// leaves out are picked up by the sheet.
#include "vault/markdown.h"

#include <cmark-gfm.h>

#include <algorithm>
#include <memory>

#include "vault/code_spans.h"
#include "vault/fence.h"
#include "vault/parse.h"
#include "vault/table.h"

namespace lectern::vault {

namespace {

constexpr uint32_t kMaxQuoteLines = 40;     // a longer quote or callout is cut into parts
constexpr size_t kMaxDataLine = 16 * 1024;  // a longer line of JSON is data, not prose

struct NodeDeleter {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Tree = std::unique_ptr<cmark_node, NodeDeleter>;

// A list or item that the walk stands in.
struct Context {
  cmark_node* node = nullptr;
  bool item = false, footnote = false;
  int32_t block = -1;                    // an item's first block
  int32_t lead = -1;                     // of a list: what introduces it
  uint32_t line = 0;                     // an item's marker
  cmark_node* last_paragraph = nullptr;  // the latest one directly in here, and its block
  int32_t last_block = -1;
};

class BodyWalker {
 public:
  BodyWalker(Note& note, const LineTable& lines, const Skeleton& skeleton,
             const BodyOptions& options, Sheet& sheet)
      : note_(note), lines_(lines), skeleton_(skeleton), options_(options), sheet_(sheet) {}

  References run() {
    const Tree root(
        cmark_parse_document(skeleton_.text.data(), skeleton_.text.size(), CMARK_OPT_DEFAULT));
    contexts_.push_back({});
    cmark_node* node = root ? cmark_node_first_child(root.get()) : nullptr;
    while (node != nullptr) {
      if (enter(node)) {
        node = cmark_node_first_child(node);
        continue;
      }
      node = leave(node, root.get());
    }
    return std::move(references_);
  }

 private:
  // True when the walk must go into the node's children.
  bool enter(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_LIST:
        open_list(node);
        return cmark_node_first_child(node) != nullptr;
      case CMARK_NODE_ITEM:
        open_item(node);
        return cmark_node_first_child(node) != nullptr;
      case CMARK_NODE_BLOCK_QUOTE:
        quote(node);
        return false;
      case CMARK_NODE_HEADING:
        heading(node);
        return false;
      case CMARK_NODE_PARAGRAPH:
        paragraph(node, first_line(node), last_line(node));
        return false;
      case CMARK_NODE_CODE_BLOCK:
        code(node);
        return false;
      case CMARK_NODE_HTML_BLOCK:
        add(BlockKind::kHtml, first_line(node), last_line(node));
        return false;
      case CMARK_NODE_THEMATIC_BREAK:
        sheet_.add_skip(SkipKind::kThematicBreak, first_line(node), first_line(node));
        return false;
      default:
        return false;
    }
  }

  // The next node in document order after `node` is done; closes contexts on the way up.
  cmark_node* leave(cmark_node* node, cmark_node* root) {
    while (node != nullptr && node != root) {
      if (contexts_.back().node == node) contexts_.pop_back();
      if (cmark_node* next = cmark_node_next(node)) return next;
      node = cmark_node_parent(node);
    }
    return nullptr;
  }

  uint32_t clamp(int line) const {
    const auto absolute = static_cast<int64_t>(line) + skeleton_.first_line - 1;
    return static_cast<uint32_t>(
        std::clamp<int64_t>(absolute, skeleton_.first_line, skeleton_.last_line));
  }
  uint32_t first_line(cmark_node* node) const { return clamp(cmark_node_get_start_line(node)); }
  uint32_t last_line(cmark_node* node) const {
    const uint32_t first = first_line(node);
    uint32_t last = std::max(first, clamp(cmark_node_get_end_line(node)));
    while (last > first && lines_.blank(last)) --last;
    return last;
  }

  std::string_view content(uint32_t line) const {
    const std::string_view text = lines_.text(line);
    return text.substr(container_prefix(text).bytes);
  }

  int32_t heading_index() const { return static_cast<int32_t>(note_.headings.size()) - 1; }

  // A leaf block in its context: the first one of an item is the item.
  int32_t add(BlockKind kind, uint32_t first, uint32_t last) {
    Context& inner = contexts_.back();
    int32_t parent = -1;
    for (size_t i = contexts_.size(); i-- > 0 && parent < 0;) {
      if (contexts_[i].item) parent = contexts_[i].block;
    }
    const bool opens_item = inner.item && inner.block < 0;
    int32_t lead = -1;
    if (opens_item) {
      for (size_t i = contexts_.size(); i-- > 0 && contexts_[i].block < 0;) {
        if (lead < 0) lead = contexts_[i].lead;
        // The marker may stand on a line before the text.
        if (contexts_[i].item) first = std::min(first, contexts_[i].line);
      }
      if (kind == BlockKind::kParagraph) {
        kind = inner.footnote ? BlockKind::kFootnote : BlockKind::kListItem;
      }
    } else if (inner.footnote && kind == BlockKind::kParagraph) {
      kind = BlockKind::kFootnote;
    }
    const int32_t block = sheet_.add_block(kind, first, last, heading_index(), parent, lead);
    for (size_t i = contexts_.size(); i-- > 0 && contexts_[i].node != nullptr;) {
      if (contexts_[i].item && contexts_[i].block >= 0) break;
      if (contexts_[i].item) contexts_[i].block = block;
    }
    return block;
  }

  void open_list(cmark_node* node) {
    Context context;
    context.node = node;
    const Context& outer = contexts_.back();
    cmark_node* before = cmark_node_previous(node);
    if (before != nullptr && before == outer.last_paragraph) {
      const uint32_t end = last_line(before);
      const std::string_view text = trim(lines_.text(end));
      const bool colon = text.ends_with(':') || text.ends_with("：") || text.ends_with(":**") ||
                         text.ends_with("**:");
      if (colon || end + 1 == first_line(node)) context.lead = outer.last_block;
    }
    contexts_.push_back(context);
  }

  void open_item(cmark_node* node) {
    Context context;
    context.node = node;
    context.item = true;
    context.line = first_line(node);
    context.footnote = skeleton_.footnote_lines.contains(context.line);
    context.lead = contexts_.back().lead;
    contexts_.push_back(context);
    if (cmark_node_first_child(node) == nullptr) {
      add(BlockKind::kParagraph, context.line, context.line);
    }
  }

  void heading(cmark_node* node) {
    const uint32_t first = first_line(node);
    const bool atx = content(first).starts_with('#');
    const uint32_t last = atx ? first : underline(first, last_line(node));
    if (!atx && contains_table(first, last)) {  // a table, then a rule
      paragraph(node, first, last - 1);
      sheet_.add_skip(SkipKind::kThematicBreak, last, last);
      return;
    }
    // Headings inside lists open no section, as in Obsidian's outline.
    if (contexts_.size() > 1) {
      add(BlockKind::kParagraph, first, last);
      return;
    }
    Heading entry;
    entry.level = static_cast<uint8_t>(std::clamp(cmark_node_get_heading_level(node), 1, 6));
    entry.line = first;
    entry.text = heading_text(first, last, atx);
    entry.parent = heading_index();
    while (entry.parent >= 0 &&
           note_.headings[static_cast<size_t>(entry.parent)].level >= entry.level) {
      entry.parent = note_.headings[static_cast<size_t>(entry.parent)].parent;
    }
    note_.headings.push_back(std::move(entry));
    add(BlockKind::kHeading, first, last);
  }

  // cmark's end of a setext heading is often a line too far: look for the underline.
  uint32_t underline(uint32_t first, uint32_t last) const {
    for (uint32_t line = first + 1; line <= last; ++line) {
      std::string_view text = lines_.text(line);
      text = trim(text.substr(std::min(text.find_first_not_of("> \t"), text.size())));
      if (!text.empty() && (text.find_first_not_of('=') == std::string_view::npos ||
                            text.find_first_not_of('-') == std::string_view::npos)) {
        return line;
      }
    }
    return last;
  }

  std::string heading_text(uint32_t first, uint32_t last, bool atx) const {
    std::string raw;
    if (atx) {
      std::string_view text = trim(content(first));
      text = trim(text.substr(run_length(text, 0, '#')));
      const size_t end = text.find_last_not_of('#');
      if (end == std::string_view::npos) {
        text = {};
      } else if (end + 1 < text.size() && is_space(text[end])) {
        text = trim(text.substr(0, end));
      }
      raw = text;
    } else {
      for (uint32_t line = first; line < last; ++line) {
        if (!raw.empty()) raw.push_back(' ');
        raw += trim(lines_.text(line));
      }
    }
    blank_comments(raw);
    // A block id at the end is an anchor, not text.
    if (const size_t caret = raw.rfind(" ^");
        caret != std::string::npos && !lone_block_id(std::string_view(raw).substr(caret)).empty()) {
      raw.resize(caret);
    }
    return std::string(trim(strip_inline(trim(raw))));
  }

  std::string_view row_text(uint32_t line) const {
    std::string_view text = trim(lines_.text(line));
    if (const size_t marker = list_marker(text); marker > 0 && marker < text.size()) {
      text = trim(text.substr(marker));
    }
    return text;
  }

  bool table_at(uint32_t line, uint32_t last) const {
    if (line >= last || !is_delimiter_row(lines_.text(line + 1))) return false;
    const std::string_view row = row_text(line);
    return split_row(row).size() == split_row(lines_.text(line + 1)).size();
  }

  bool contains_table(uint32_t first, uint32_t last) const {
    for (uint32_t line = first; line < last; ++line) {
      if (table_at(line, last)) return true;
    }
    return false;
  }

  void paragraph(cmark_node* node, uint32_t first, uint32_t last) {
    first = skip_definitions(first, last);
    if (first > last) return;
    if (is_data_line(first)) {
      sheet_.add_skip(SkipKind::kOther, first, last);
      warn(first, "a long line of data is left out");
      return;
    }
    for (uint32_t line = first; line < last; ++line) {
      if (table_at(line, last)) {
        if (line > first) add(BlockKind::kParagraph, first, line - 1);
        table(line, last);
        return;
      }
    }
    const int32_t block = add(text_kind(first, last), first, last);
    contexts_.back().last_paragraph = node;
    contexts_.back().last_block = block;
  }

  BlockKind text_kind(uint32_t first, uint32_t last) const {
    const std::string_view begin = content(first);
    const std::string_view end = trim(lines_.text(last));
    const bool math =
        begin.starts_with("$$") && end.ends_with("$$") && (first < last || trim(begin).size() > 4);
    if (math && trim(begin).find("$$", 2) == trim(begin).size() - 2) return BlockKind::kMath;
    return BlockKind::kParagraph;
  }

  bool is_data_line(uint32_t line) const {
    const std::string_view text = trim(lines_.text(line));
    return text.size() > kMaxDataLine && (text.starts_with("{\"") || text.starts_with("[{"));
  }

  void table(uint32_t header, uint32_t last) {
    const int32_t block = add(BlockKind::kTableHeader, header, header);
    sheet_.add_skip(SkipKind::kTableDelimiter, header + 1, header + 1);
    for (uint32_t line = header + 2; line <= last; ++line) {
      sheet_.add_block(BlockKind::kTableRow, line, line, heading_index(), block, -1);
    }
  }

  // Reference definitions at the start of a paragraph; returns the first line after them.
  uint32_t skip_definitions(uint32_t first, uint32_t last) {
    while (first <= last) {
      const uint32_t used = definition(first, last);
      if (used == 0) break;
      sheet_.add_skip(SkipKind::kReferenceDefinition, first, first + used - 1);
      first += used;
    }
    return first;
  }

  // Number of lines that a definition at `line` takes, 0 when there is none.
  uint32_t definition(uint32_t line, uint32_t last) {
    const std::string_view text = trim(content(line));
    if (!text.starts_with('[') || text.starts_with("[^")) return 0;
    size_t close = 1;
    while (close < text.size() && text[close] != ']' && text[close] != '[' && close < 1000) {
      close += text[close] == '\\' ? 2 : 1;
    }
    if (close + 1 >= text.size() || text[close] != ']' || text[close + 1] != ':') return 0;
    const std::string label = reference_label(text.substr(1, close - 1));
    if (label.empty()) return 0;
    std::string_view rest = trim(text.substr(close + 2));
    uint32_t used = 1;
    if (rest.empty()) {
      if (line == last) return 0;
      rest = trim(lines_.text(line + 1));
      used = 2;
    }
    // The tail of an inline link has the same grammar between its parentheses.
    const std::string tail = "(" + std::string(rest.substr(0, 8192)) + ")";
    std::string_view destination;
    if (parse_link_tail(tail, 0, destination) != tail.size()) return 0;
    if (line + used <= last) {
      const std::string_view title = trim(lines_.text(line + used));
      const bool bare = destination.size() + 2 >= rest.size();
      if (bare && title.size() >= 2 && (title[0] == '"' || title[0] == '\'') &&
          title.find(title[0], 1) == title.size() - 1) {
        ++used;
      }
    }
    references_.try_emplace(label, Reference{std::string(destination), line, false});
    return used;
  }

  void code(cmark_node* node) {
    const uint32_t first = first_line(node);
    const uint32_t last = last_line(node);
    if (skeleton_.math_lines.contains(first)) {
      add(BlockKind::kMath, first, last);
      return;
    }
    int length = 0;
    int offset = 0;
    char mark = 0;
    if (options_.excalidraw && cmark_node_get_fenced(node, &length, &offset, &mark) != 0) {
      sheet_.add_skip(SkipKind::kOther, first, last);
      warn(first, "drawing data is left out");
      return;
    }
    add(BlockKind::kCode, first, last);
  }

  void quote(cmark_node* node) {
    const uint32_t first = first_line(node);
    const uint32_t last = last_line(node);
    const std::string_view title = content(first);
    const size_t close = title.starts_with("[!") ? title.substr(0, 200).find(']') : 0;
    const bool callout = close != std::string_view::npos && close > 2;
    const BlockKind kind = callout ? BlockKind::kCallout : BlockKind::kQuote;

    const std::vector<uint32_t> starts = part_starts(node, first, last);
    int32_t whole = -1;
    for (size_t i = 0; i < starts.size(); ++i) {
      const uint32_t end = i + 1 < starts.size() ? starts[i + 1] - 1 : last;
      if (i == 0) {
        whole = add(kind, starts[i], end);
      } else {
        sheet_.add_block(kind, starts[i], end, heading_index(), whole, -1);
      }
    }
  }

  // First lines of the parts of a quote: all of it, or one a paragraph.
  std::vector<uint32_t> part_starts(cmark_node* quote, uint32_t first, uint32_t last) {
    std::vector<uint32_t> leaves;   // first lines of the leaf blocks inside
    std::vector<uint32_t> in_code;  // lines inside code, where a blank line parts nothing
    cmark_node* node = cmark_node_first_child(quote);
    while (node != nullptr) {
      const cmark_node_type type = cmark_node_get_type(node);
      const bool container =
          type == CMARK_NODE_LIST || type == CMARK_NODE_ITEM || type == CMARK_NODE_BLOCK_QUOTE;
      if (!container) {
        leaves.push_back(first_line(node));
        if (type == CMARK_NODE_CODE_BLOCK || type == CMARK_NODE_HTML_BLOCK) {
          for (uint32_t line = first_line(node); line <= last_line(node); ++line) {
            in_code.push_back(line);
          }
        }
      }
      if (container && cmark_node_first_child(node) != nullptr) {
        node = cmark_node_first_child(node);
        continue;
      }
      while (node != nullptr && node != quote && cmark_node_next(node) == nullptr) {
        node = cmark_node_parent(node);
      }
      node = node == nullptr || node == quote ? nullptr : cmark_node_next(node);
    }
    const bool by_leaf = last - first + 1 > kMaxQuoteLines;
    std::vector<uint32_t> starts{first};
    bool after_blank = false;
    size_t leaf = 0;
    size_t code = 0;
    for (uint32_t line = first; line <= last; ++line) {
      while (leaf < leaves.size() && leaves[leaf] < line) ++leaf;
      while (code < in_code.size() && in_code[code] < line) ++code;
      const bool code_line = code < in_code.size() && in_code[code] == line;
      const bool blank =
          !code_line && lines_.text(line).find_first_not_of("> \t\r\v\f") == std::string_view::npos;
      const bool at_leaf = by_leaf && leaf < leaves.size() && leaves[leaf] == line;
      if (line > first && !blank && (after_blank || at_leaf)) starts.push_back(line);
      after_blank = blank;
    }
    return starts;
  }

  void warn(uint32_t line, const char* message) {
    note_.warnings.push_back({note_.path, line, message});
  }

  Note& note_;
  const LineTable& lines_;
  const Skeleton& skeleton_;
  const BodyOptions& options_;
  Sheet& sheet_;
  std::vector<Context> contexts_;
  References references_;
};

}  // namespace

References parse_body(Note& note, const LineTable& lines, const Skeleton& skeleton,
                      const BodyOptions& options, Sheet& sheet) {
  return BodyWalker(note, lines, skeleton, options, sheet).run();
}

}  // namespace lectern::vault
