// Reads settings files; see settings_files.h. yaml-cpp's exceptions end in this file.
#include "base/settings_files.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/file.h"

namespace lectern {

namespace {

constexpr uint64_t kMaxBytes = 64u << 10;
constexpr int kMaxDepth = 8;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string place(const std::string& path, uint32_t line) {
  return line == 0 ? path : fmt::format("{}:{}", path, line);
}

uint32_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 0 : static_cast<uint32_t>(mark.line) + 1;
}

// The first line that is neither blank, a comment nor a document mark; 0 when there is none.
uint32_t first_content_line(std::string_view text) {
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    if (!line.empty() && line[0] != '#' && line != "---" && line != "...") return number;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return 0;
}

// Reads the events of a document and stops at what a settings file has no use for and a
// hostile one has: aliases (which can multiply) and deep nesting.
class Guard : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw YAML::ParserException(mark, "aliases are not allowed here");
  }
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    enter(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    enter(mark);
  }
  void OnMapEnd() override { --depth_; }

 private:
  void enter(const YAML::Mark& mark) {
    if (++depth_ > kMaxDepth) throw YAML::ParserException(mark, "nested too deeply");
  }
  int depth_ = 0;
};

class YamlReader {
 public:
  explicit YamlReader(const std::string& path) : path_(path) {}

  Result<std::vector<FileEntry>> read(const std::string& bytes) {
    try {
      std::istringstream guarded(bytes);
      Guard guard;
      YAML::Parser parser(guarded);
      // The first document only, as YAML::Load: yaml-cpp 0.7 gives empty documents without
      // end for some malformed bytes.
      parser.HandleNextDocument(guard);
      const YAML::Node root = YAML::Load(bytes);
      if (root.IsNull()) {
        // yaml-cpp takes some malformed files for an empty document and ignores the rest.
        const uint32_t line = first_content_line(bytes);
        if (line == 0) return std::move(entries_);
        return fail(ErrorCode::kConfig, "must hold settings as 'name: value'", place(path_, line));
      }
      if (!root.IsMap()) return error(root, "must hold settings as 'name: value'");
      TRY_STATUS(add_map(root, ""));
      return std::move(entries_);
    } catch (const YAML::Exception& problem) {
      return fail(ErrorCode::kConfig, problem.msg, place(path_, line_of(problem.mark)));
    }
  }

 private:
  tl::unexpected<Error> error(const YAML::Node& node, std::string message) const {
    return fail(ErrorCode::kConfig, std::move(message), place(path_, line_of(node.Mark())));
  }

  Status add_map(const YAML::Node& map, const std::string& section) {
    for (const auto& item : map) {
      if (!item.first.IsScalar()) return error(item.first, "a setting's name must be plain text");
      const std::string name = section + item.first.Scalar();
      if (item.second.IsMap() && name == "collections") {
        TRY_STATUS(add_collections(item.first, item.second));
      } else if (item.second.IsMap()) {
        if (!section.empty()) return error(item.first, "'" + name + "' is no section");
        TRY_STATUS(add_map(item.second, name + "."));
      } else {
        FileEntry entry{name, {}, line_of(item.first.Mark())};
        TRY_STATUS(add_values(item.first, item.second, entry.values));
        TRY_STATUS(add(std::move(entry)));
      }
    }
    return {};
  }

  Status add_values(const YAML::Node& key, const YAML::Node& value,
                    std::vector<std::string>& out) const {
    if (value.IsScalar()) {
      out.push_back(value.Scalar());
    } else if (value.IsSequence()) {
      for (const auto& item : value) {
        if (!item.IsScalar()) return error(key, "'" + key.Scalar() + "' must list plain values");
        out.push_back(item.Scalar());
      }
    } else {
      return error(key, "'" + key.Scalar() + "' has no value");
    }
    return {};
  }

  Status add_collections(const YAML::Node& key, const YAML::Node& map) {
    FileEntry entry{"collections", {}, line_of(key.Mark())};
    for (const auto& item : map) {
      if (!item.first.IsScalar()) return error(item.first, "a collection's name must be text");
      std::vector<std::string> folders;
      TRY_STATUS(add_values(item.first, item.second, folders));
      for (const std::string& folder : folders) {
        entry.values.push_back(item.first.Scalar() + "=" + folder);
      }
    }
    return add(std::move(entry));
  }

  Status add(FileEntry entry) {
    if (!seen_.insert(entry.name).second) {
      return fail(ErrorCode::kConfig, "'" + entry.name + "' is set twice",
                  place(path_, entry.line));
    }
    entries_.push_back(std::move(entry));
    return {};
  }

  const std::string& path_;
  std::vector<FileEntry> entries_;
  std::set<std::string> seen_;
};

Result<std::string> read_small_file(const std::string& path) {
  TRY(FileBytes file, read_file(path, kMaxBytes));
  if (file.truncated) {
    return fail(ErrorCode::kConfig, fmt::format("is longer than {} KiB", kMaxBytes >> 10), path);
  }
  return std::move(file.bytes);
}

bool is_variable_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name) {
    const bool ok =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!ok) return false;
  }
  return true;
}

// The value of a line: quoted (nothing but a comment may follow) or up to " #". Inside
// double quotes \n, \" and \\ are escapes; nothing is ever expanded.
Result<std::string> env_value(std::string_view raw) {
  if (raw.empty() || (raw[0] != '"' && raw[0] != '\'')) {
    size_t comment = raw.starts_with('#') ? 0 : raw.find(" #");
    if (comment == std::string_view::npos) comment = raw.find("\t#");
    return std::string(trim(raw.substr(0, comment)));
  }
  const char quote = raw[0];
  std::string out;
  size_t at = 1;
  for (; at < raw.size() && raw[at] != quote; ++at) {
    const bool escape = quote == '"' && raw[at] == '\\' && at + 1 < raw.size();
    if (!escape) {
      out.push_back(raw[at]);
      continue;
    }
    ++at;
    if (raw[at] != 'n' && raw[at] != '"' && raw[at] != '\\') out.push_back('\\');
    out.push_back(raw[at] == 'n' ? '\n' : raw[at]);
  }
  if (at >= raw.size()) return fail(ErrorCode::kConfig, "the quote is not closed");
  const std::string_view rest = trim(raw.substr(at + 1));
  if (!rest.empty() && rest[0] != '#') {
    return fail(ErrorCode::kConfig, "there is text after the closing quote");
  }
  return out;
}

}  // namespace

Result<std::vector<FileEntry>> read_yaml_settings(const std::string& path) {
  TRY(const std::string bytes, read_small_file(path));
  return YamlReader(path).read(bytes);
}

Result<std::map<std::string, EnvEntry>> read_env_file(const std::string& path) {
  TRY(const std::string bytes, read_small_file(path));
  std::map<std::string, EnvEntry> out;
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (uint32_t number = 1; !rest.empty(); ++number) {
    const size_t end = rest.find('\n');
    std::string_view line = trim(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("export ")) line = trim(line.substr(7));
    const size_t equals = line.find('=');
    const std::string_view key = trim(line.substr(0, equals));
    if (equals == std::string_view::npos || !is_variable_name(key)) {
      // The line itself is not repeated: it may hold a secret.
      return fail(ErrorCode::kConfig, "is not a KEY=VALUE line", place(path, number));
    }
    auto value = env_value(trim(line.substr(equals + 1)));
    if (!value) return fail(ErrorCode::kConfig, value.error().message, place(path, number));
    if (key.starts_with("LECTERN_")) out[std::string(key)] = {*std::move(value), number};
  }
  return out;
}

}  // namespace lectern
