// Note: one parsed file, with every block bound to exact lines.
//
// `text` is the file decoded to UTF-8 (byte-order mark dropped, CRLF turned into LF,
// malformed bytes into U+FFFD); all byte offsets are into it, all line numbers are the
// file's own. A lone CR stays in `text` and counts as a space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "lectern/types.h"

namespace lectern {

struct SourceSpan {
  uint32_t line_first = 0, line_last = 0;  // 1-based, inclusive
  uint32_t byte_first = 0, byte_end = 0;   // half-open, into Note::text
  bool operator==(const SourceSpan&) const = default;
};

// Stored in index files: append only.
enum class BlockKind : uint8_t {
  kParagraph = 0,
  kHeading,
  kListItem,  // with its wrapped lines; nested items are blocks of their own
  kTableHeader,
  kTableRow,
  kQuote,
  kCallout,
  kCode,  // with its fences
  kMath,
  kHtml,
  kFootnote,
  kProperty,  // one frontmatter field
  kCanvasText,
};

// Lines that belong to no block, each for a named reason.
enum class SkipKind : uint8_t {
  kFrontmatterFence = 0,
  kFrontmatterIgnored,  // comments, cssclasses, ids and the like
  kComment,             // %%...%% or <!-- ... --> taking whole lines
  kTableDelimiter,
  kThematicBreak,
  kReferenceDefinition,
  kBlockIdLine,   // ^id on a line of its own
  kCanvasMarkup,  // JSON around a canvas node's text
  kOther,
};

struct Skip {
  SkipKind kind = SkipKind::kOther;
  uint32_t line_first = 0, line_last = 0;
};

enum class DateSource : uint8_t { kNone = 0, kHeading, kFileName, kFrontmatter };
enum class DatePrecision : uint8_t { kNone = 0, kYear, kMonth, kDay };

// A calendar date with its precision: the half-open range of days it may mean, as days
// since 1970-01-01.
struct DateStamp {
  int32_t day_first = 0, day_end = 0;
  DatePrecision precision = DatePrecision::kNone;
  DateSource source = DateSource::kNone;
  bool known() const { return precision != DatePrecision::kNone; }
  bool operator==(const DateStamp&) const = default;
};

struct Heading {
  uint8_t level = 1;    // 1..6
  int32_t parent = -1;  // index into Note::headings of the enclosing heading
  uint32_t line = 0;
  std::string text;  // inline markup stripped
};

struct ByteSpan {
  uint32_t first = 0, end = 0;  // half-open, into Note::text
  bool operator==(const ByteSpan&) const = default;
};

struct Block {
  BlockKind kind = BlockKind::kParagraph;
  SourceSpan span;       // whole lines: byte_first is a line's start, byte_end is before its LF
  int32_t heading = -1;  // index into Note::headings of the section it stands in; for a
                         // heading block: itself
  int32_t parent = -1;   // list item or callout that encloses it; for a table row, the
                         // kTableHeader block
  int32_t lead = -1;     // the paragraph or item that introduces a list ("Reasons:")
  DateStamp date;
  std::string anchor;            // block id without '^'; empty when none
  std::vector<ByteSpan> hidden;  // comments inside the span: never evidence
  std::string node_id;           // canvas node
  std::string unescaped;         // canvas text as a person reads it; empty elsewhere
};

enum class LinkSyntax : uint8_t { kWiki = 0, kMarkdown, kProperty, kCanvas };

struct Link {
  LinkSyntax syntax = LinkSyntax::kWiki;
  bool embed = false;
  std::string target;   // as written, decoded (percent escapes), without subpath; empty: this note
  std::string heading;  // "A#B" for nested
  std::string block;    // block id without '^'
  std::string alias;
  uint32_t line = 0;
};

struct Property {
  std::string key;                  // as written
  std::vector<std::string> values;  // scalars as strings
  uint32_t line = 0;
};

struct Note {
  std::string path;   // vault-relative, '/' between components, bytes as on disk
  std::string title;  // frontmatter title, else the first block when it is a level-1 heading,
                      // else the file stem
  std::vector<std::string> aliases;
  std::vector<std::string> tags;  // first-seen case, no '#', each once (case-insensitively)
  std::vector<Property> properties;
  std::vector<Heading> headings;
  std::vector<Block> blocks;  // in file order
  std::vector<Skip> skips;    // in file order
  std::vector<Link> links;    // in file order; targets outside the vault are left out
  DateStamp date;             // file name, else frontmatter
  std::vector<Warning> warnings;
  std::string text;
  Hash128 hash;  // of the file's bytes

  std::string_view block_text(const Block& block) const {
    return std::string_view(text).substr(block.span.byte_first,
                                         block.span.byte_end - block.span.byte_first);
  }
};

}  // namespace lectern
