// The canvas reader.
#include "vault/canvas.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "vault/comments.h"
#include "vault/frontmatter.h"

namespace lectern::vault {

namespace {

constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxNodes = 200'000;

// A forward iterator that tells a shared counter how far the parser has read. A string
// event fires right after its closing quote is read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char* begin, size_t* read)
      : at_(at), begin_(begin), read_(read) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *read_ = static_cast<size_t>(at_ - begin_);
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char* begin_;
  size_t* read_;
};

struct Node {
  std::string id, type, text, file, subpath;
  size_t text_at = 0;  // byte of the closing quote of `text`
  size_t file_at = 0;
  bool has_text = false;
};

class CanvasReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit CanvasReader(const size_t* read) : read_(read) {}

  std::vector<Node> nodes;
  std::string fault;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool string(string_t& value) override {
    if (depth_ != 3 || !in_nodes_) return true;
    const size_t at = *read_ > 0 ? *read_ - 1 : 0;
    if (key_ == "id") node_.id = std::move(value);
    if (key_ == "type") node_.type = std::move(value);
    if (key_ == "subpath") node_.subpath = std::move(value);
    if (key_ == "file") {
      node_.file = std::move(value);
      node_.file_at = at;
    }
    if (key_ == "text") {
      node_.text = std::move(value);
      node_.text_at = at;
      node_.has_text = true;
    }
    return true;
  }

  bool key(string_t& value) override {
    if (depth_ == 1) in_nodes_ = value == "nodes";
    if (depth_ == 3) key_ = std::move(value);
    return true;
  }

  bool start_object(std::size_t) override {
    if (!deeper()) return false;
    if (depth_ == 3) {
      node_ = Node{};
      key_.clear();
    }
    return true;
  }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_object() override {
    if (depth_ == 3 && in_nodes_) {
      if (nodes.size() >= kMaxNodes) {
        fault = "the canvas has too many nodes; the rest is left out";
        return false;
      }
      nodes.push_back(std::move(node_));
    }
    --depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    fault = "the canvas is not valid JSON (at byte " + std::to_string(position) + ")";
    return false;
  }

 private:
  bool deeper() {
    if (++depth_ <= kMaxDepth) return true;
    fault = "the canvas is nested more than 64 levels deep";
    return false;
  }

  const size_t* read_;
  size_t depth_ = 0;
  bool in_nodes_ = false;
  std::string key_;
  Node node_;
};

// Nodes read before a fault are kept.
std::vector<Node> read_nodes(Note& note) {
  if (is_blank(note.text)) return {};
  size_t read = 0;
  CanvasReader reader(&read);
  const char* begin = note.text.data();
  try {
    nlohmann::json::sax_parse(CountingIterator(begin, begin, &read),
                              CountingIterator(begin + note.text.size(), begin, &read), &reader);
  } catch (const std::exception& error) {
    reader.fault = error.what();
  }
  if (!reader.fault.empty()) {
    const auto at = static_cast<std::ptrdiff_t>(std::min(read, note.text.size()));
    const auto line =
        static_cast<uint32_t>(std::count(note.text.begin(), note.text.begin() + at, '\n') + 1);
    note.warnings.push_back({note.path, line, reader.fault});
  }
  return std::move(reader.nodes);
}

void add_text_block(Note& note, const LineTable& lines, Node& node) {
  blank_comments(node.text);
  if (is_blank(node.text)) return;
  const uint32_t line = lines.line_of(static_cast<uint32_t>(node.text_at));
  Block block;
  block.kind = BlockKind::kCanvasText;
  block.span = {line, line, lines.first(line), lines.end(line)};
  block.node_id = std::move(node.id);
  block.unescaped = std::move(node.text);
  References none;
  Inlines found;
  scan_inlines(block.unescaped, 1, none, found);
  for (Link& link : found.links) {
    link.line = line;
    note.links.push_back(std::move(link));
  }
  for (const std::string& tag : found.tags) add_tag(note.tags, tag);
  note.blocks.push_back(std::move(block));
}

void add_file_link(Note& note, const LineTable& lines, const Node& node) {
  Link link;
  const std::string inside = node.file + node.subpath;
  if (!parse_wikilink(inside, false, link)) return;
  link.syntax = LinkSyntax::kCanvas;
  link.embed = true;  // a file node shows the note
  link.target = node.file;
  link.line = lines.line_of(static_cast<uint32_t>(node.file_at));
  note.links.push_back(std::move(link));
}

void skip_markup(Note& note, const LineTable& lines) {
  size_t block = 0;
  for (uint32_t line = 1; line <= lines.count(); ++line) {
    while (block < note.blocks.size() && note.blocks[block].span.line_last < line) ++block;
    const bool taken = block < note.blocks.size() && note.blocks[block].span.line_first <= line;
    if (taken || lines.blank(line)) continue;
    if (!note.skips.empty() && note.skips.back().line_last + 1 == line) {
      note.skips.back().line_last = line;
    } else {
      note.skips.push_back({SkipKind::kCanvasMarkup, line, line});
    }
  }
}

}  // namespace

void parse_canvas(Note& note, const LineTable& lines) {
  for (Node& node : read_nodes(note)) {
    if (node.has_text && (node.type == "text" || node.type.empty())) {
      add_text_block(note, lines, node);
    } else if (!node.file.empty()) {
      add_file_link(note, lines, node);
    }
  }
  skip_markup(note, lines);
}

}  // namespace lectern::vault
