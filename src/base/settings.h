// Settings: every configurable value once, with its name, environment variable, type,
// default and meaning; and how flags, environment and files become one Config.
//
// Precedence: flag, environment, the user's config file, default. A file inside a vault
// (.lectern.yaml) may set include and exclude only; anything else in it is a warning.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"

namespace lectern {

struct Setting {
  std::string_view name;         // "keyword.k1"
  std::string_view environment;  // "LECTERN_KEYWORD_K1"
  std::string_view flag;         // "--vault"; empty when there is none
  std::string_view meaning;
  std::function<Status(Config&, std::string_view value)> set;
  std::function<std::string(const Config&)> get;
};
const std::vector<Setting>& settings();

struct SettingsInput {
  std::map<std::string, std::vector<std::string>> flags;  // setting name -> values
  std::function<std::optional<std::string>(std::string_view)> environment;  // name -> value
  std::string working_folder;
};

struct LoadedConfig {
  Config config;
  std::map<std::string, std::string> origin;  // setting name -> flag | environment | file | default
  std::vector<Warning> warnings;
};

// Finds the vault (flag, LECTERN_VAULT, nearest ancestor with .obsidian; empty when none),
// the index path, reads the config files. Errors: kConfig naming file and line and, for an
// unknown key, the nearest valid one.
Result<LoadedConfig> load_config(const SettingsInput& input);

// The nearest of `names` to `word` by edit distance, empty when none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

}  // namespace lectern
