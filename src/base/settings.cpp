// The registry of settings: one row a value, with its bounds. What is not here cannot be
// configured; docs/configuration.md lists the same rows (a test compares them).
#include "base/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

namespace lectern {

namespace {

constexpr size_t kMaxShown = 60;  // bytes of a bad value that an error repeats

std::string quoted(std::string_view value) {
  if (value.size() <= kMaxShown) return fmt::format("'{}'", value);
  return fmt::format("'{}...'", value.substr(0, kMaxShown));
}

tl::unexpected<Error> bad(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

template <typename Number>
bool parse_whole(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> lines_of(std::string_view value) {
  std::vector<std::string> out;
  while (!value.empty()) {
    const size_t end = value.find('\n');
    const std::string_view line = trimmed(value.substr(0, end));
    if (!line.empty()) out.emplace_back(line);
    value = end == std::string_view::npos ? std::string_view() : value.substr(end + 1);
  }
  return out;
}

// Every maker takes `field`, a generic lambda that gives the field of a (const) Config.

template <typename Field>
Setting integer(std::string_view name, std::string_view flag, std::string_view meaning, Field field,
                uint64_t min, uint64_t max) {
  Setting out{name, {}, flag, meaning, {}, {}};
  out.set = [=](Config& config, std::string_view value) -> Status {
    uint64_t number = 0;
    if (!parse_whole(trimmed(value), number) || number < min || number > max) {
      return bad(
          fmt::format("must be a whole number from {} to {}, not {}", min, max, quoted(value)));
    }
    field(config) = static_cast<std::remove_reference_t<decltype(field(config))>>(number);
    return {};
  };
  out.get = [=](const Config& config) { return std::to_string(field(config)); };
  return out;
}

template <typename Field>
Setting real(std::string_view name, std::string_view flag, std::string_view meaning, Field field,
             double min, double max) {
  Setting out{name, {}, flag, meaning, {}, {}};
  out.set = [=](Config& config, std::string_view value) -> Status {
    double number = 0;
    if (!parse_whole(trimmed(value), number) || !std::isfinite(number) || number < min ||
        number > max) {
      return bad(fmt::format("must be a number from {} to {}, not {}", min, max, quoted(value)));
    }
    field(config) = number;
    return {};
  };
  out.get = [=](const Config& config) { return fmt::format("{}", field(config)); };
  return out;
}

template <typename Field>
Setting boolean(std::string_view name, std::string_view flag, std::string_view meaning,
                Field field) {
  Setting out{name, {}, flag, meaning, {}, {}};
  out.set = [=](Config& config, std::string_view value) -> Status {
    std::string word(trimmed(value));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const bool yes = word == "true" || word == "yes" || word == "on" || word == "1";
    if (!yes && word != "false" && word != "no" && word != "off" && word != "0") {
      return bad(fmt::format("must be true or false, not {}", quoted(value)));
    }
    field(config) = yes;
    return {};
  };
  out.get = [=](const Config& config) { return std::string(field(config) ? "true" : "false"); };
  return out;
}

template <typename Field>
Setting text(std::string_view name, std::string_view flag, std::string_view meaning, Field field) {
  Setting out{name, {}, flag, meaning, {}, {}};
  out.set = [=](Config& config, std::string_view value) -> Status {
    if (trimmed(value).empty()) return bad("must not be empty");
    if (value.find_first_of(std::string_view("\0\n", 2)) != std::string_view::npos) {
      return bad("must be one line of text");
    }
    field(config) = std::string(value);
    return {};
  };
  out.get = [=](const Config& config) { return std::string(field(config)); };
  return out;
}

template <typename Field>
Setting choice(std::string_view name, std::string_view flag, std::string_view meaning, Field field,
               std::vector<std::string> choices) {
  Setting out{name, {}, flag, meaning, {}, {}};
  out.set = [=](Config& config, std::string_view value) -> Status {
    const std::string word(trimmed(value));
    if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
      const std::string near = nearest_name(word, choices);
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("must be {}, not {}", fmt::join(choices, " or "), quoted(value)), {},
                  near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    field(config) = word;
    return {};
  };
  out.get = [=](const Config& config) { return std::string(field(config)); };
  return out;
}

template <typename Field>
Setting text_list(std::string_view name, std::string_view flag, std::string_view meaning,
                  Field field) {
  Setting out{name, {}, flag, meaning, {}, {}, true};
  out.set = [=](Config& config, std::string_view value) -> Status {
    if (value.find('\0') != std::string_view::npos) return bad("must not hold a zero byte");
    field(config) = lines_of(value);
    return {};
  };
  out.get = [=](const Config& config) { return fmt::format("{}", fmt::join(field(config), ", ")); };
  return out;
}

// A named scope is a list of folders; as text, one "name=folder" a line.
Setting collections_setting() {
  Setting out{"collections",
              {},
              "",
              "named sets of folders for --collection, as name=folder entries",
              {},
              {},
              true};
  out.set = [](Config& config, std::string_view value) -> Status {
    std::map<std::string, std::vector<std::string>> collections;
    for (const std::string& line : lines_of(value)) {
      const size_t equals = line.find('=');
      const std::string_view name = trimmed(std::string_view(line).substr(0, equals));
      const std::string_view folder =
          equals == std::string::npos ? "" : trimmed(std::string_view(line).substr(equals + 1));
      if (name.empty() || folder.empty()) {
        return bad(fmt::format("must be entries name=folder, not {}", quoted(line)));
      }
      collections[std::string(name)].emplace_back(folder);
    }
    config.collections = std::move(collections);
    return {};
  };
  out.get = [](const Config& config) {
    std::vector<std::string> entries;
    for (const auto& [name, folders] : config.collections) {
      for (const std::string& folder : folders) entries.push_back(name + "=" + folder);
    }
    return fmt::format("{}", fmt::join(entries, ", "));
  };
  return out;
}

#define LECTERN_FIELD(path) [](auto& c) -> auto& { return c.path; }

std::vector<Setting> place_settings() {
  return {
      text("vault", "--vault", "the folder of notes", LECTERN_FIELD(vault)),
      text("index", "--index", "the index file; never inside the vault", LECTERN_FIELD(index)),
      text("config", "--config", "the user's configuration file", LECTERN_FIELD(config_file)),
      // Read before there is a Config and kept in LoadedConfig::env_file.
      Setting{"env_file",
              {},
              "--env-file",
              "a .env file to read; none is read unless named",
              [](Config&, std::string_view) -> Status { return {}; },
              [](const Config&) { return std::string(); }},
      boolean("offline", "--offline", "never use the network", LECTERN_FIELD(offline)),
      boolean("include_private", "", "also read folders named _private and _sensitiveData",
              LECTERN_FIELD(include_private)),
      text_list("include", "--include", "read only notes that match one of these globs",
                LECTERN_FIELD(include)),
      text_list("exclude", "--exclude", "leave out notes that match one of these globs",
                LECTERN_FIELD(exclude)),
      collections_setting(),
  };
}

std::vector<Setting> retrieval_settings() {
  return {
      integer("chunk.min_tokens", "", "shorter sections join the next one",
              LECTERN_FIELD(chunk.min_tokens), 1, 8192),
      integer("chunk.target_tokens", "", "the size a chunk grows to",
              LECTERN_FIELD(chunk.target_tokens), 8, 8192),
      integer("chunk.max_tokens", "", "no chunk is longer", LECTERN_FIELD(chunk.max_tokens), 16,
              8192),
      real("keyword.k1", "", "BM25: how slowly repeated words saturate", LECTERN_FIELD(keyword.k1),
           0, 10),
      real("keyword.b", "", "BM25: how much long chunks are marked down", LECTERN_FIELD(keyword.b),
           0, 1),
      real("keyword.title_weight", "", "weight of a word in the title or an alias",
           LECTERN_FIELD(keyword.title_weight), 0, 100),
      real("keyword.heading_weight", "", "weight of a word in the heading path",
           LECTERN_FIELD(keyword.heading_weight), 0, 100),
      real("keyword.property_weight", "", "weight of a word in a frontmatter field",
           LECTERN_FIELD(keyword.property_weight), 0, 100),
      real("fusion.rrf_k", "", "reciprocal rank fusion: a place counts 1 / (k + rank)",
           LECTERN_FIELD(fusion.rrf_k), 0, 10000),
      integer("fusion.lane_depth", "", "candidates that each lane hands over",
              LECTERN_FIELD(fusion.lane_depth), 1, 1000),
      real("fusion.title_weight", "", "weight of the title lane",
           LECTERN_FIELD(fusion.title_weight), 0, 100),
      real("fusion.keyword_weight", "", "weight of the keyword lane",
           LECTERN_FIELD(fusion.keyword_weight), 0, 100),
      integer("search.limit", "-n", "passages that a search returns", LECTERN_FIELD(search.limit),
              1, 1000),
      integer("search.max_per_note", "", "passages of one note among the results",
              LECTERN_FIELD(search.max_per_note), 1, 1000),
      boolean("search.window", "", "show the neighbours of a passage in its section",
              LECTERN_FIELD(search.window)),
  };
}

std::vector<Setting> answer_settings() {
  return {
      choice("gate.kind", "--gate", "how it is decided whether the notes hold an answer",
             LECTERN_FIELD(gate.kind), {"coverage"}),
      real("gate.threshold", "", "share of the question's weight that the evidence must cover",
           LECTERN_FIELD(gate.threshold), 0, 1),
      integer("answer.context_chars", "", "most characters of evidence that are read",
              LECTERN_FIELD(answer.context_chars), 200, 1000000),
      integer("answer.max_sentences", "", "most sentences of an answer",
              LECTERN_FIELD(answer.max_sentences), 1, 50),
      boolean("retry.drop_filters", "", "let the second try leave the filters of the caller",
              LECTERN_FIELD(retry_drop_filters)),
      integer("limits.note_bytes", "", "a longer note is indexed up to here",
              LECTERN_FIELD(limits.note_bytes), 1024, uint64_t{1} << 30),
      integer("limits.lock_wait_ms", "", "how long to wait for another writer",
              LECTERN_FIELD(limits.lock_wait_ms), 0, 3600000),
  };
}

#undef LECTERN_FIELD

std::string environment_name(std::string_view setting) {
  std::string out = "LECTERN_";
  for (const char c : setting) {
    out.push_back(c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
  }
  return out;
}

std::vector<Setting> all_settings() {
  std::vector<Setting> out = place_settings();
  for (Setting& row : retrieval_settings()) out.push_back(std::move(row));
  for (Setting& row : answer_settings()) out.push_back(std::move(row));
  for (Setting& row : out) row.environment = environment_name(row.name);
  return out;
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> kAll = all_settings();
  return kAll;
}

const Setting* find_setting(std::string_view name) {
  for (const Setting& setting : settings()) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

bool is_secret(std::string_view name) {
  // Whole parts only: "chunk.min_tokens" and "keyword.k1" are no secrets.
  while (!name.empty()) {
    const size_t end = name.find_first_of("._-");
    const std::string_view part = name.substr(0, end);
    if (part == "token" || part == "key" || part == "secret" || part == "password") return true;
    name = end == std::string_view::npos ? std::string_view() : name.substr(end + 1);
  }
  return false;
}

std::string shown_value(const Setting& setting, const LoadedConfig& loaded) {
  const std::string value =
      setting.name == "env_file" ? loaded.env_file : setting.get(loaded.config);
  return is_secret(setting.name) && !value.empty() ? "********" : value;
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr size_t kMaxWord = 64;
  if (word.empty() || word.size() > kMaxWord) return {};
  const size_t allowed = word.size() <= 3 ? 1 : std::max<size_t>(2, word.size() / 3);
  std::string best;
  size_t best_distance = allowed + 1;
  for (const std::string& name : names) {
    const bool is_start = word.size() >= 3 && name.starts_with(word);
    const size_t distance = is_start ? 1 : edit_distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace lectern
