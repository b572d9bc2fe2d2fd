// Frontmatter through yaml-cpp's event parser: no node tree, no expansion of aliases, so
// memory stays in proportion to the text; nesting is bounded before and while parsing.
#include "vault/frontmatter.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <istream>
#include <optional>
#include <stdexcept>
#include <streambuf>

namespace lectern::vault {

namespace {

constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxSearched = 1 << 20;  // how far a closing fence is looked for
constexpr size_t kMaxValues = 10'000;

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

// Bookkeeping of Obsidian and its plugins: nothing a person would ask about.
bool is_ignored_key(std::string_view key) {
  static constexpr std::string_view kKeys[] = {"cssclass", "cssclasses", "id",           "uid",
                                               "uuid",     "publish",    "kanban-plugin"};
  return key.starts_with("excalidraw-") ||
         std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](std::string_view name) { return equals_ignoring_case(key, name); });
}

struct TooDeep : std::runtime_error {
  TooDeep() : std::runtime_error("nested too deeply") {}
};

// Collects the scalars beneath each top-level key, as written.
class FieldCollector : public YAML::EventHandler {
 public:
  struct Field {
    std::string key;
    std::vector<std::string> values;
    uint32_t line = 0;  // 0-based, in the YAML text
  };
  std::vector<Field> fields;
  bool is_map = false;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { scalar(mark, nullptr); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { scalar(mark, nullptr); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    scalar(mark, &value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    open(mark, false, style == YAML::EmitterStyle::Flow);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, true, false);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    bool map = false, flow = false;
    size_t children = 0;     // a map counts keys and values
    size_t first_value = 0;  // values of the field so far, when it was opened
  };

  void child() {
    if (!levels_.empty()) ++levels_.back().children;
  }

  bool at_top_key() const {
    return levels_.size() == 1 && levels_[0].map && levels_[0].children % 2 == 0;
  }

  void scalar(const YAML::Mark& mark, const std::string* value) {
    if (at_top_key()) {
      fields.push_back(
          {value == nullptr ? "" : *value, {}, static_cast<uint32_t>(std::max(mark.line, 0))});
    } else if (value != nullptr && is_value() && !fields.empty() &&
               fields.back().values.size() < kMaxValues) {
      fields.back().values.push_back(*value);
    }
    child();
  }

  // Keys of nested maps are not values.
  bool is_value() const {
    return !levels_.empty() && (!levels_.back().map || levels_.back().children % 2 == 1);
  }

  void open(const YAML::Mark& mark, bool map, bool flow) {
    if (levels_.size() >= kMaxDepth) throw TooDeep();
    if (levels_.empty()) is_map = map;
    if (at_top_key()) {
      fields.push_back({"", {}, static_cast<uint32_t>(std::max(mark.line, 0))});
    }
    levels_.push_back({map, flow, 0, fields.empty() ? 0 : fields.back().values.size()});
  }

  // `up: [[Note]]` without quotes is a sequence in a sequence; a person means a link.
  void close() {
    const Level level = levels_.back();
    levels_.pop_back();
    const bool inner = level.flow && !level.map && !levels_.empty() && levels_.back().flow &&
                       !levels_.back().map && levels_.back().children == 0;
    if (inner && !fields.empty() && fields.back().values.size() > level.first_value) {
      std::vector<std::string>& values = fields.back().values;
      std::string joined = "[[";
      for (size_t i = level.first_value; i < values.size(); ++i) {
        if (i > level.first_value) joined += ", ";
        joined += values[i];
      }
      values.resize(level.first_value);
      values.push_back(joined + "]]");
    }
    child();
  }

  std::vector<Level> levels_;
};

// yaml-cpp recurses with the nesting; this keeps hostile text from getting that far. Counts
// openers of flow collections and of compact block ones, quotes ignored: an overcount only
// sends a strange note to the line-by-line reading.
bool nests_too_deep(std::string_view yaml) {
  size_t flow = 0;
  size_t compact = 0;  // "- - - -" or "? ? ? ?" on one line
  for (size_t i = 0; i < yaml.size(); ++i) {
    const char c = yaml[i];
    if (c == '[' || c == '{') {
      if (++flow > kMaxDepth) return true;
    } else if ((c == ']' || c == '}') && flow > 0) {
      --flow;
    } else if (c == '\n') {
      compact = 0;
    } else if ((c == '-' || c == '?' || c == ':') &&
               (i + 1 == yaml.size() || is_space(yaml[i + 1]))) {
      if (++compact > kMaxDepth) return true;
    }
  }
  return false;
}

// A stream over memory that is not copied.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view view) {
    char* begin = const_cast<char*>(view.data());  // streambuf's interface; never written
    setg(begin, begin, begin + view.size());
  }
};

struct YamlFault {
  std::string message;
  int line = -1;  // 0-based in the YAML text; -1 unknown
};

std::optional<YamlFault> read_yaml(std::string_view yaml, FieldCollector& collector) {
  if (yaml.size() > kMaxFrontmatter) {
    return YamlFault{"longer than 64 KiB; read line by line", -1};
  }
  if (nests_too_deep(yaml)) return YamlFault{"nested too deeply", -1};
  try {
    ViewBuffer buffer(yaml);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(collector);
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    return YamlFault{error.msg, error.mark.line};
  } catch (const std::exception& error) {
    return YamlFault{error.what(), -1};
  }
}

bool is_fence(std::string_view line, bool closing) {
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line == "---" || (closing && line == "...");
}

// Length of the key in `key: value`, 0 when the line is not like that.
size_t key_length(std::string_view line) {
  if (line.empty() || is_space(line[0]) || line[0] == '#' || line[0] == '-' || line[0] == '{' ||
      line[0] == '|' || line[0] == '>') {
    return 0;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 100) return 0;
  return colon + 1 == line.size() || is_space(line[colon + 1]) ? colon : 0;
}

std::string_view unquote(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0]) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

class FrontmatterReader {
 public:
  FrontmatterReader(std::string_view text, const LineTable& lines, const std::string& path,
                    std::vector<Warning>& warnings)
      : text_(text), lines_(lines), path_(path), warnings_(warnings) {}

  Frontmatter run() {
    if (lines_.count() < 2 || !is_fence(lines_.text(1), false)) return {};
    const uint32_t close = closing_line();
    if (close == 0) return {};
    out_.line_last = close;
    if (close == 2) return std::move(out_);
    const std::string_view yaml =
        text_.substr(lines_.first(2), lines_.end(close - 1) + 1 - lines_.first(2));
    FieldCollector collector;
    const std::optional<YamlFault> fault = read_yaml(yaml, collector);
    if (fault || !collector.is_map) {
      if (!has_field_line() && !is_blank(yaml) && !only_comments()) return {};
      if (fault) warn(*fault);
      read_lines();
    } else {
      bind_fields(collector.fields);
    }
    collect_other_lines();
    return std::move(out_);
  }

 private:
  uint32_t closing_line() const {
    for (uint32_t line = 2; line <= lines_.count() && lines_.end(line) <= kMaxSearched; ++line) {
      if (is_fence(lines_.text(line), true)) return line;
    }
    return 0;
  }

  bool has_field_line() const {
    for (uint32_t line = 2; line < out_.line_last; ++line) {
      if (key_length(lines_.text(line)) > 0) return true;
    }
    return trim(lines_.text(2)).starts_with('{');
  }
  bool only_comments() const {
    for (uint32_t line = 2; line < out_.line_last; ++line) {
      const std::string_view content = trim(lines_.text(line));
      if (!content.empty() && content[0] != '#') return false;
    }
    // "---", "# Heading", "---": two rules around a heading, not frontmatter with a remark.
    return !trim(lines_.text(2)).starts_with("# ");
  }

  void warn(const YamlFault& fault) {
    const uint32_t line =
        fault.line < 0 ? 1 : std::min(static_cast<uint32_t>(fault.line) + 2, out_.line_last);
    warnings_.push_back({path_, line, fmt::format("frontmatter: {}", fault.message)});
  }

  void add_field(uint32_t first, uint32_t last, bool ignored) {
    if (!out_.fields.empty() && out_.fields.back().line_last >= first) {
      out_.fields.back().line_last = std::max(out_.fields.back().line_last, last);
      out_.fields.back().ignored = out_.fields.back().ignored && ignored;
      return;
    }
    out_.fields.push_back({first, last, ignored});
  }

  void bind_fields(const std::vector<FieldCollector::Field>& fields) {
    for (size_t i = 0; i < fields.size(); ++i) {
      const uint32_t first = std::clamp(fields[i].line + 2, 2u, out_.line_last - 1);
      uint32_t last = out_.line_last - 1;
      if (i + 1 < fields.size()) {
        last = std::clamp(fields[i + 1].line + 1, first, out_.line_last - 1);
      }
      while (last > first && is_filler(last)) --last;
      add_field(first, last, is_ignored_key(fields[i].key));
      out_.properties.push_back({fields[i].key, fields[i].values, first});
    }
  }

  // A line that ends no field: blank, a comment at the margin, a brace of a JSON object.
  bool is_filler(uint32_t line) const {
    const std::string_view text = lines_.text(line);
    const std::string_view content = trim(text);
    return content.empty() || text[0] == '#' || text[0] == '}';
  }

  void read_lines() {
    for (uint32_t line = 2; line < out_.line_last; ++line) {
      const std::string_view text = lines_.text(line);
      const size_t key = key_length(text);
      if (key > 0) {
        Property property{std::string(unquote(text.substr(0, key))), {}, line};
        const std::string_view value = unquote(text.substr(key + 1));
        if (!value.empty()) property.values.emplace_back(value);
        add_field(line, line, is_ignored_key(property.key));
        out_.properties.push_back(std::move(property));
      } else if (const std::string_view content = trim(text);
                 content.starts_with("- ") && !out_.properties.empty()) {
        out_.properties.back().values.emplace_back(unquote(content.substr(2)));
        out_.fields.back().line_last = line;
      }
    }
  }

  // Comments inside a field's lines stay with it only when they are indented (they may be
  // the text of a block scalar); comments at the margin are split off.
  void collect_other_lines() {
    std::vector<FieldSpan> fields;
    uint32_t line = 2;
    for (const FieldSpan& field : out_.fields) {
      for (; line < field.line_first; ++line) add_other(line);
      FieldSpan part{field.line_first, field.line_first, field.ignored};
      bool open = false;
      for (; line <= field.line_last; ++line) {
        const std::string_view text = lines_.text(line);
        if (text.starts_with('#')) {
          if (open) fields.push_back(part);
          open = false;
          add_other(line);
        } else if (!is_blank(text)) {
          if (!open) part.line_first = line;
          part.line_last = line;
          open = true;
        }
      }
      if (open) fields.push_back(part);
    }
    for (; line < out_.line_last; ++line) add_other(line);
    out_.fields = std::move(fields);
  }

  void add_other(uint32_t line) {
    if (!lines_.blank(line)) out_.other_lines.push_back(line);
  }

  std::string_view text_;
  const LineTable& lines_;
  const std::string& path_;
  std::vector<Warning>& warnings_;
  Frontmatter out_;
};

void split_into(std::string_view value, std::string_view separators,
                const std::function<void(std::string_view)>& take) {
  while (!value.empty()) {
    const size_t cut = value.find_first_of(separators);
    const std::string_view part = trim(value.substr(0, cut));
    if (!part.empty()) take(part);
    if (cut == std::string_view::npos) break;
    value.remove_prefix(cut + 1);
  }
}

}  // namespace

Frontmatter parse_frontmatter(std::string_view text, const LineTable& lines,
                              const std::string& path, std::vector<Warning>& warnings) {
  return FrontmatterReader(text, lines, path, warnings).run();
}

const Property* find_property(const std::vector<Property>& properties, std::string_view key) {
  for (const Property& property : properties) {
    if (equals_ignoring_case(property.key, key)) return &property;
  }
  return nullptr;
}

void add_tag(std::vector<std::string>& tags, std::string_view tag) {
  while (tag.starts_with('#')) tag.remove_prefix(1);
  while (tag.ends_with('/')) tag.remove_suffix(1);
  if (!tag.empty()) tags.emplace_back(tag);
}

void apply_properties(Note& note) {
  if (const Property* title = find_property(note.properties, "title");
      title != nullptr && !title->values.empty()) {
    note.title = trim(title->values[0]);
  }
  for (const Property& property : note.properties) {
    const bool list = property.values.size() > 1;
    if (equals_ignoring_case(property.key, "tags") || equals_ignoring_case(property.key, "tag")) {
      for (const std::string& value : property.values) {
        split_into(value, list ? "," : ", \t\n",
                   [&](std::string_view tag) { add_tag(note.tags, tag); });
      }
    } else if (equals_ignoring_case(property.key, "aliases") ||
               equals_ignoring_case(property.key, "alias")) {
      for (const std::string& value : property.values) {
        if (list) {
          if (const std::string_view alias = trim(value); !alias.empty()) {
            note.aliases.emplace_back(alias);
          }
        } else {
          split_into(value, ",\n",
                     [&](std::string_view alias) { note.aliases.emplace_back(alias); });
        }
      }
    }
  }
}

}  // namespace lectern::vault
