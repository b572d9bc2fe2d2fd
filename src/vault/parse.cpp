// parse_note: the stages in order. Decode, frontmatter, comments, skeleton, block tree,
// blocks, anchors, links and tags, dates.
#include "vault/parse.h"

#include <algorithm>
#include <unordered_set>

#include "text/normalize.h"
#include "vault/canvas.h"
#include "vault/comments.h"
#include "vault/decode.h"
#include "vault/fence.h"
#include "vault/frontmatter.h"
#include "vault/inline_scan.h"
#include "vault/lines.h"
#include "vault/markdown.h"
#include "vault/sheet.h"
#include "vault/skeleton.h"

namespace lectern::vault {

namespace {

bool ends_with_ignoring_case(std::string_view text, std::string_view suffix) {
  if (text.size() < suffix.size()) return false;
  const std::string_view tail = text.substr(text.size() - suffix.size());
  return std::equal(tail.begin(), tail.end(), suffix.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

bool has_inlines(BlockKind kind) {
  return kind != BlockKind::kCode && kind != BlockKind::kMath && kind != BlockKind::kHtml &&
         kind != BlockKind::kProperty && kind != BlockKind::kCanvasText;
}

void paint_frontmatter(const Frontmatter& front, Sheet& sheet) {
  if (front.line_last == 0) return;
  sheet.add_skip(SkipKind::kFrontmatterFence, 1, 1);
  sheet.add_skip(SkipKind::kFrontmatterFence, front.line_last, front.line_last);
  for (const uint32_t line : front.other_lines) {
    sheet.add_skip(SkipKind::kFrontmatterIgnored, line, line);
  }
  for (const FieldSpan& field : front.fields) {
    if (field.ignored) {
      sheet.add_skip(SkipKind::kFrontmatterIgnored, field.line_first, field.line_last);
    } else {
      sheet.add_block(BlockKind::kProperty, field.line_first, field.line_last, -1, -1, -1);
    }
  }
}

// Clips each comment to the blocks it touches.
void mark_hidden(Note& note, const Comments& comments) {
  size_t first = 0;
  for (const ByteSpan& span : comments.closed) {
    while (first < note.blocks.size() && note.blocks[first].span.byte_end <= span.first) ++first;
    for (size_t i = first; i < note.blocks.size(); ++i) {
      Block& block = note.blocks[i];
      if (block.span.byte_first >= span.end) break;
      block.hidden.push_back(
          {std::max(span.first, block.span.byte_first), std::min(span.end, block.span.byte_end)});
    }
  }
  for (const uint32_t at : comments.unclosed) {
    const auto block = std::find_if(note.blocks.begin(), note.blocks.end(), [&](const Block& b) {
      return b.span.byte_first <= at && at < b.span.byte_end;
    });
    if (block == note.blocks.end() || !has_inlines(block->kind)) continue;
    if (!block->hidden.empty() && block->hidden.back().end > at) continue;
    block->hidden.push_back({at, block->span.byte_end});
  }
}

// `text ^id`: the id at the end of a block's last line.
std::string_view trailing_block_id(std::string_view line) {
  line = trim(line);
  const size_t caret = line.rfind('^');
  if (caret == std::string_view::npos || caret == 0 || !is_space(line[caret - 1])) return {};
  return lone_block_id(line.substr(caret));
}

void set_anchors(Note& note, const LineTable& lines, const std::vector<uint32_t>& id_lines) {
  for (Block& block : note.blocks) {
    if (has_inlines(block.kind)) block.anchor = trailing_block_id(lines.text(block.span.line_last));
  }
  size_t at = 0;
  for (const uint32_t line : id_lines) {
    while (at < note.blocks.size() && note.blocks[at].span.line_last < line) ++at;
    if (at == 0) continue;
    size_t target = at - 1;
    // An id under a table, quote or callout names the whole of it.
    const Block& before = note.blocks[target];
    const bool part = before.parent >= 0 &&
                      (before.kind == BlockKind::kTableRow ||
                       before.kind == note.blocks[static_cast<size_t>(before.parent)].kind) &&
                      before.kind != BlockKind::kListItem;
    if (part) target = static_cast<size_t>(before.parent);
    const std::string_view text = lines.text(line);
    note.blocks[target].anchor = lone_block_id(text.substr(container_prefix(text).bytes));
  }
}

void collect_inlines(Note& note, References& references) {
  Inlines found;
  for (const Block& block : note.blocks) {
    if (!has_inlines(block.kind)) continue;
    if (block.hidden.empty()) {
      scan_inlines(note.block_text(block), block.span.line_first, references, found);
    } else {
      scan_inlines(visible_text(note, block), block.span.line_first, references, found);
    }
  }
  for (const auto& [label, reference] : references) {
    Link link;
    if (reference.used || !parse_destination(reference.target, link)) continue;
    link.line = reference.line;
    found.links.push_back(std::move(link));
  }
  std::move(found.links.begin(), found.links.end(), std::back_inserter(note.links));
  for (const std::string& tag : found.tags) add_tag(note.tags, tag);
}

// Links in fields, quoted or not: `up: [[Note]]`, `up: "[[Note|x]]"`.
void collect_property_links(Note& note, const LineTable& lines, const Frontmatter& front) {
  References none;
  for (const FieldSpan& field : front.fields) {
    for (uint32_t line = field.line_first; line <= field.line_last; ++line) {
      const std::string_view text = lines.text(line);
      for (size_t at = text.find("[["); at != std::string_view::npos; at = text.find("[[", at)) {
        const size_t close = text.find("]]", at + 2);
        if (close == std::string_view::npos) break;
        const size_t open = text.rfind("[[", close);
        Link link;
        const bool embed = open > 0 && text[open - 1] == '!';
        if (parse_wikilink(text.substr(open + 2, close - open - 2), embed, link)) {
          link.syntax = LinkSyntax::kProperty;
          link.line = line;
          note.links.push_back(std::move(link));
        }
        at = close + 2;
      }
    }
  }
}

void unique_tags(std::vector<std::string>& tags) {
  std::unordered_set<std::string> seen;
  std::erase_if(tags,
                [&](const std::string& tag) { return !seen.insert(text::fold_case(tag)).second; });
}

DateStamp frontmatter_date(const Note& note) {
  static constexpr std::string_view kKeys[] = {
      "date",          "day",           "created",       "date created",  "date_created",
      "datecreated",   "created_at",    "created at",    "createdat",     "creation date",
      "creation_date", "creationdate",  "published",     "publish_date",  "pubdate",
      "updated",       "date updated",  "date_updated",  "updated_at",    "modified",
      "date modified", "date_modified", "last_modified", "last modified", "lastmod"};
  for (const std::string_view key : kKeys) {
    const Property* property = find_property(note.properties, key);
    if (property == nullptr || property->values.empty()) continue;
    DateStamp date = parse_iso_date(property->values[0]);
    if (!date.known()) date = find_date(property->values[0], DateSource::kFrontmatter);
    if (date.known()) return date;
  }
  return {};
}

void set_dates(Note& note) {
  note.date = find_date(stem_of(note.path), DateSource::kFileName);
  if (!note.date.known()) note.date = frontmatter_date(note);
  std::vector<DateStamp> dates(note.headings.size());
  for (size_t i = 0; i < note.headings.size(); ++i) {
    const Heading& heading = note.headings[i];
    dates[i] = find_date(heading.text, DateSource::kHeading);
    if (dates[i].known()) continue;
    dates[i] = heading.parent >= 0 ? dates[static_cast<size_t>(heading.parent)] : note.date;
  }
  for (Block& block : note.blocks) {
    block.date = block.heading >= 0 ? dates[static_cast<size_t>(block.heading)] : note.date;
  }
}

void set_title(Note& note) {
  if (!note.title.empty()) return;
  for (const Block& block : note.blocks) {
    if (block.kind == BlockKind::kProperty) continue;
    if (block.kind == BlockKind::kHeading && block.heading >= 0) {
      const Heading& heading = note.headings[static_cast<size_t>(block.heading)];
      if (heading.level == 1) note.title = heading.text;
    }
    break;
  }
  if (note.title.empty()) note.title = stem_of(note.path);
}

void parse_markdown(Note& note, const LineTable& lines) {
  const Frontmatter front = parse_frontmatter(note.text, lines, note.path, note.warnings);
  note.properties = front.properties;
  apply_properties(note);

  Sheet sheet(note.text, lines);
  paint_frontmatter(front, sheet);
  const Comments comments = find_comments(note.text, lines, front.line_last + 1);
  const Skeleton skeleton = make_skeleton(note.text, lines, front.line_last + 1, comments);
  for (const uint32_t line : skeleton.comment_lines) {
    sheet.add_skip(SkipKind::kComment, line, line);
  }
  for (const uint32_t line : skeleton.block_id_lines) {
    sheet.add_skip(SkipKind::kBlockIdLine, line, line);
  }
  BodyOptions options;
  options.excalidraw = ends_with_ignoring_case(note.path, ".excalidraw.md") ||
                       find_property(note.properties, "excalidraw-plugin") != nullptr;
  References references;
  if (front.line_last < lines.count()) {
    references = parse_body(note, lines, skeleton, options, sheet);
  }
  if (skeleton.last_line < lines.count()) {
    sheet.add_skip(SkipKind::kOther, skeleton.last_line + 1, lines.count());
    note.warnings.push_back(
        {note.path, skeleton.last_line + 1, "the note has too many lines; the rest is left out"});
  }
  sheet.finish(note.blocks, note.skips);
  if (sheet.overflow_line() > 0) {
    note.warnings.push_back(
        {note.path, sheet.overflow_line(), "the note has too many blocks; the rest is left out"});
  }
  mark_hidden(note, comments);
  set_anchors(note, lines, skeleton.block_id_lines);
  collect_property_links(note, lines, front);
  collect_inlines(note, references);
}

}  // namespace

Note parse_note(std::string path, std::string_view bytes, const ParseOptions& options) {
  Note note;
  note.path = std::move(path);
  note.hash = hash128(bytes);
  note.text = decode_text(bytes, options.max_bytes, note.path, note.warnings);
  const LineTable lines(note.text);
  if (ends_with_ignoring_case(note.path, ".canvas")) {
    parse_canvas(note, lines);
    note.title = stem_of(note.path);
  } else {
    parse_markdown(note, lines);
    set_title(note);
  }
  std::stable_sort(note.links.begin(), note.links.end(),
                   [](const Link& a, const Link& b) { return a.line < b.line; });
  unique_tags(note.tags);
  set_dates(note);
  return note;
}

}  // namespace lectern::vault
