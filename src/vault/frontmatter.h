// Frontmatter: the YAML (or JSON) fields at the top of a note, each bound to its lines.
// The only file that sees yaml-cpp; nothing it throws gets out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vault/lines.h"
#include "vault/note.h"

namespace lectern::vault {

inline constexpr size_t kMaxFrontmatter = 64 * 1024;

struct FieldSpan {
  uint32_t line_first = 0, line_last = 0;
  bool ignored = false;  // cssclasses, ids and the like: not evidence
};

struct Frontmatter {
  uint32_t line_last = 0;  // of the closing fence; 0: the note has none
  std::vector<Property> properties;
  std::vector<FieldSpan> fields;      // in line order, not overlapping
  std::vector<uint32_t> other_lines;  // non-blank lines of no field: YAML comments, leftovers
};

// Reads the frontmatter of `text`. Broken YAML gives one warning with file and line, and
// fields line by line where they look like `key: value`. A first line `---` that is not
// followed by fields is a thematic break: line_last is 0.
Frontmatter parse_frontmatter(std::string_view text, const LineTable& lines,
                              const std::string& path, std::vector<Warning>& warnings);

// First property of that name (ASCII case ignored), or nullptr.
const Property* find_property(const std::vector<Property>& properties, std::string_view key);

// Fills title (when given), aliases, tags from every old and new spelling of the fields.
void apply_properties(Note& note);

// Adds a tag once, in the case first seen.
void add_tag(std::vector<std::string>& tags, std::string_view tag);

}  // namespace lectern::vault
