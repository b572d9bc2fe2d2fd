// load_config: lays the sources over each other, weakest first, then finds the vault and
// the index. Only the file system is consulted; nothing is created.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/settings.h"
#include "base/settings_files.h"
#include "base/utf8.h"

namespace lectern {

namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, "\n"));
}

std::vector<std::string> setting_names() {
  std::vector<std::string> out;
  for (const Setting& setting : settings()) out.emplace_back(setting.name);
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "docs/configuration.md lists every setting"
                      : fmt::format("did you mean '{}'?", near);
}

// True when `path` is `folder` or lies beneath it; both canonical.
bool is_within(const std::string& path, const std::string& folder) {
  if (folder == "/") return true;
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

// The path without symbolic links, as far as it exists.
std::string real_path(const std::string& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(path, error);
  if (error) out = fs::path(path).lexically_normal();
  std::string text = out.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

class Loader {
 public:
  explicit Loader(const SettingsInput& input) : input_(input) {}

  Result<LoadedConfig> load() {
    for (const Setting& setting : settings()) origin(setting.name) = "default";
    TRY_STATUS(read_environment_file());
    TRY_STATUS(apply_config_file());
    TRY_STATUS(apply_environment());
    TRY_STATUS(apply_flags());
    TRY_STATUS(check_chunk_sizes());
    TRY_STATUS(place_vault());
    TRY_STATUS(place_index());
    apply_vault_file();
    return std::move(out_);
  }

 private:
  struct Found {
    std::string value;
    std::string origin;
  };

  std::string& origin(std::string_view name) { return out_.origin[std::string(name)]; }

  std::optional<std::string> process_variable(std::string_view name) const {
    if (!input_.environment) return std::nullopt;
    auto value = input_.environment(name);
    if (value && value->empty()) return std::nullopt;
    return value;
  }

  std::optional<Found> variable(const std::string& name) const {
    if (auto value = process_variable(name)) return Found{*std::move(value), "environment"};
    const auto entry = env_file_.find(name);
    if (entry == env_file_.end() || entry->second.value.empty()) return std::nullopt;
    return Found{entry->second.value, "env-file"};
  }

  std::optional<Found> flag_or_variable(const Setting& setting) const {
    const auto flag = input_.flags.find(std::string(setting.name));
    if (flag != input_.flags.end() && !flag->second.empty()) {
      return Found{flag->second.back(), "flag"};
    }
    return variable(setting.environment);
  }

  // HOME or an XDG variable: the specification says that relative ones are ignored.
  std::string absolute_variable(std::string_view name) const {
    const auto value = process_variable(name);
    return value && value->starts_with('/') ? *value : std::string();
  }

  std::string user_folder(std::string_view xdg_variable, std::string_view below_home) const {
    std::string folder = absolute_variable(xdg_variable);
    if (!folder.empty()) return folder;
    const std::string home = absolute_variable("HOME");
    return home.empty() ? std::string() : home + "/" + std::string(below_home);
  }

  // "~/x" of a file or a quoted flag is the user's; the rest is relative to the working folder.
  std::string absolute_path(const std::string& path) const {
    const std::string home = absolute_variable("HOME");
    if (!home.empty() && path == "~") return home;
    if (!home.empty() && path.starts_with("~/")) return home + path.substr(1);
    return (fs::path(input_.working_folder) / path).string();
  }

  Status read_environment_file() {
    const Setting& setting = *find_setting("env_file");
    const auto found = flag_or_variable(setting);
    if (!found) return {};
    out_.env_file = absolute_path(found->value);
    auto entries = read_env_file(out_.env_file);
    if (!entries) return as_config_error(std::move(entries).error(), *found, setting);
    env_file_ = *std::move(entries);
    origin("env_file") = found->origin;
    std::vector<std::string> known{"LECTERN_TOKEN"};
    for (const Setting& row : settings()) known.push_back(row.environment);
    for (const auto& [name, entry] : env_file_) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      out_.warnings.push_back(
          {out_.env_file, entry.line,
           fmt::format("{} is no setting; {}", name, did_you_mean(name, known))});
    }
    return {};
  }

  // A named file that cannot be read is the caller's mistake, and says which flag named it.
  static Status as_config_error(Error error, const Found& found, const Setting& setting) {
    if (error.code == ErrorCode::kNotFound || error.code == ErrorCode::kIo) {
      error.hint = fmt::format(
          "named by {}", found.origin == "flag" ? std::string(setting.flag) : setting.environment);
      error.code = ErrorCode::kConfig;
    }
    return tl::unexpected(std::move(error));
  }

  Status apply_config_file() {
    const Setting& setting = *find_setting("config");
    const auto found = flag_or_variable(setting);
    std::string path;
    if (found) {
      path = absolute_path(found->value);
      origin("config") = found->origin;
    } else {
      const std::string folder = user_folder("XDG_CONFIG_HOME", ".config");
      if (folder.empty()) return {};
      path = folder + "/lectern/config.yaml";
    }
    auto entries = read_yaml_settings(path);
    if (!entries && !found && entries.error().code == ErrorCode::kNotFound) return {};
    if (!entries) {
      return as_config_error(std::move(entries).error(), found.value_or(Found{}), setting);
    }
    out_.config.config_file = path;
    for (const FileEntry& entry : *entries) TRY_STATUS(apply_entry(path, entry));
    return {};
  }

  Status apply_entry(const std::string& path, const FileEntry& entry) {
    const std::string where = fmt::format("{}:{}", path, entry.line);
    const Setting* setting = find_setting(entry.name);
    if (setting == nullptr) {
      return fail(ErrorCode::kConfig, fmt::format("unknown setting '{}'", entry.name), where,
                  did_you_mean(entry.name, setting_names()));
    }
    if (entry.name == "config" || entry.name == "env_file") {
      return fail(ErrorCode::kConfig, fmt::format("'{}' cannot be set in a file", entry.name),
                  where, fmt::format("use {}", setting->flag));
    }
    if (!setting->list && entry.values.size() != 1) {
      return fail(ErrorCode::kConfig, fmt::format("{} must be one value", entry.name), where);
    }
    if (entry.name == "vault" || entry.name == "index") {
      const std::string& value = entry.values.front();
      if (!value.starts_with('/') && !value.starts_with("~/")) {
        return fail(ErrorCode::kConfig, entry.name + " must be an absolute path here", where,
                    "start it with / or ~/");
      }
    }
    return apply(*setting, joined(entry.values), "config-file",
                 fmt::format("{}: {}", where, entry.name), ErrorCode::kConfig);
  }

  Status apply_environment() {
    for (const Setting& setting : settings()) {
      if (setting.name == "config" || setting.name == "env_file") continue;
      auto found = variable(setting.environment);
      if (!found) continue;
      // Entries of a list stand apart by commas, or by line ends when one holds a comma.
      if (setting.list && found->value.find('\n') == std::string::npos) {
        std::replace(found->value.begin(), found->value.end(), ',', '\n');
      }
      std::string where = setting.environment;
      const auto entry = env_file_.find(setting.environment);
      if (found->origin == "env-file" && entry != env_file_.end()) {
        where = fmt::format("{}:{}: {}", out_.env_file, entry->second.line, where);
      }
      TRY_STATUS(apply(setting, found->value, found->origin, where, ErrorCode::kConfig));
    }
    return {};
  }

  Status apply_flags() {
    for (const auto& [name, values] : input_.flags) {
      if (name == "config" || name == "env_file") continue;
      const Setting* setting = find_setting(name);
      if (setting == nullptr || values.empty()) continue;
      const std::string value = setting->list ? joined(values) : values.back();
      TRY_STATUS(
          apply(*setting, value, "flag", std::string(setting->flag), ErrorCode::kInvalidArgument));
    }
    return {};
  }

  Status apply(const Setting& setting, std::string_view value, std::string_view from,
               std::string_view where, ErrorCode code) {
    if (auto done = setting.set(out_.config, value); !done) {
      Error error = std::move(done).error();
      error.code = code;
      error.where = std::string(where);
      if (is_secret(setting.name)) error.message = "is not a value this setting can have";
      return tl::unexpected(std::move(error));
    }
    origin(setting.name) = std::string(from);
    return {};
  }

  Status check_chunk_sizes() const {
    const ChunkConfig& chunk = out_.config.chunk;
    if (chunk.min_tokens <= chunk.target_tokens && chunk.target_tokens <= chunk.max_tokens) {
      return {};
    }
    return fail(ErrorCode::kConfig,
                fmt::format("min_tokens {}, target_tokens {} and max_tokens {} must not fall",
                            chunk.min_tokens, chunk.target_tokens, chunk.max_tokens),
                "chunk", "min_tokens <= target_tokens <= max_tokens");
  }

  std::string find_vault_above() const {
    std::error_code error;
    fs::path folder = input_.working_folder;
    while (!folder.empty()) {
      if (fs::is_directory(folder / ".obsidian", error)) return folder.string();
      if (folder == folder.parent_path()) break;
      folder = folder.parent_path();
    }
    return {};
  }

  Status place_vault() {
    Config& config = out_.config;
    if (config.vault.empty()) {
      config.vault = find_vault_above();
      if (config.vault.empty()) return {};
      origin("vault") = "found";
    }
    config.vault = real_path(absolute_path(config.vault));
    config.vault_name = fs::path(config.vault).filename().string();
    if (config.vault_name.empty()) config.vault_name = "root";
    std::error_code error;
    vault_missing_ = !fs::exists(config.vault, error);
    if (vault_missing_ || fs::is_directory(config.vault, error)) return {};
    return fail(ErrorCode::kVaultUnreachable, "is not a folder", config.vault,
                "a vault is a folder of notes; give it with --vault");
  }

  // The index of a vault that is away (an unmounted disk) still answers searches.
  Status check_missing_vault() const {
    std::error_code error;
    if (!vault_missing_ || fs::exists(out_.config.index, error)) return {};
    return fail(ErrorCode::kVaultUnreachable, "there is no such folder", out_.config.vault,
                "give the folder of notes with --vault");
  }

  Status place_index() {
    Config& config = out_.config;
    if (config.index.empty()) {
      if (config.vault.empty()) return {};
      const std::string folder = user_folder("XDG_DATA_HOME", ".local/share");
      if (folder.empty()) {
        return fail(ErrorCode::kConfig, "there is no place for the index: HOME is not set", "index",
                    "give a file with --index or LECTERN_INDEX");
      }
      // A name may be 255 bytes; cut it so that the suffix still fits.
      constexpr size_t kMaxName = 100;
      const std::string name =
          config.vault_name.substr(0, utf8::floor_boundary(config.vault_name, kMaxName));
      config.index = fmt::format("{}/lectern/{}-{}/index.db", folder, name,
                                 to_hex(hash128(config.vault)).substr(0, 8));
    }
    config.index = fs::path(absolute_path(config.index)).lexically_normal().string();
    std::error_code error;
    if (fs::is_directory(config.index, error)) {
      return fail(ErrorCode::kInvalidArgument, "is a folder", config.index,
                  "the index is one file, for example index.db in that folder");
    }
    if (!config.vault.empty() && is_within(real_path(config.index), config.vault)) {
      return fail(ErrorCode::kInvalidArgument, "the index must not be inside the vault",
                  config.index, "it would be synced with the notes; choose a place outside");
    }
    return check_missing_vault();
  }

  // The vault's folder is not trusted: problems in its file are warnings and only what to
  // read is taken from it.
  void apply_vault_file() {
    if (out_.config.vault.empty() || vault_missing_) return;
    const std::string path = out_.config.vault + "/.lectern.yaml";
    const auto entries = read_yaml_settings(path);
    if (!entries) {
      if (entries.error().code == ErrorCode::kNotFound) return;
      warn_vault_file(0, to_line({ErrorCode::kConfig, entries.error().message, "", ""}));
      return;
    }
    for (const FileEntry& entry : *entries) {
      if (entry.name != "include" && entry.name != "exclude") {
        warn_vault_file(entry.line, fmt::format("a vault's file may only set include and exclude; "
                                                "'{}' is ignored",
                                                entry.name));
        continue;
      }
      if (origin(entry.name) != "default") continue;
      const auto done = apply(*find_setting(entry.name), joined(entry.values), "vault-file", "",
                              ErrorCode::kConfig);
      if (!done) warn_vault_file(entry.line, entry.name + " " + done.error().message);
    }
  }

  void warn_vault_file(uint32_t line, std::string message) {
    out_.warnings.push_back({".lectern.yaml", line, std::move(message)});
  }

  const SettingsInput& input_;
  LoadedConfig out_;
  std::map<std::string, EnvEntry> env_file_;
  bool vault_missing_ = false;
};

}  // namespace

Result<LoadedConfig> load_config(const SettingsInput& input) { return Loader(input).load(); }

}  // namespace lectern
