// Settings: every configurable value once, with its name, environment variable, type,
// default and meaning; and how flags, environment and files become one Config.
//
// Precedence: flag, environment, .env file named by the user, the user's config file,
// default. A file inside a vault (.lectern.yaml) may set include and exclude only, where
// nothing stronger does; anything else in it is a warning.
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
  std::string_view name;    // "keyword.k1"
  std::string environment;  // "LECTERN_KEYWORD_K1"
  std::string_view flag;    // "--vault"; empty when there is none
  std::string_view meaning;
  // The value is text as a person writes it; a list has one entry a line. Errors:
  // kInvalidArgument whose message says what is allowed.
  std::function<Status(Config&, std::string_view value)> set;
  std::function<std::string(const Config&)> get;  // lists joined by ", "
  bool list = false;
};
const std::vector<Setting>& settings();
const Setting* find_setting(std::string_view name);  // null when there is none

struct SettingsInput {
  std::map<std::string, std::vector<std::string>> flags;  // setting name -> values
  std::function<std::optional<std::string>(std::string_view)> environment;  // name -> value
  std::string working_folder;                                               // absolute
};

struct LoadedConfig {
  Config config;
  std::string env_file;  // the .env file that was read; empty when none
  // Setting name -> flag | environment | env-file | config-file | vault-file | found |
  // default. "found" is a vault found above the working folder.
  std::map<std::string, std::string> origin;
  std::vector<Warning> warnings;
};

// Finds the vault (flag, LECTERN_VAULT, config file, nearest ancestor with .obsidian; empty
// when none), the index path, reads the config files. An empty environment variable counts
// as unset. Errors: kConfig naming file and line or variable and, for an unknown key, the
// nearest valid one; kInvalidArgument naming the flag; kVaultUnreachable when the vault's
// folder is not there and was never indexed.
Result<LoadedConfig> load_config(const SettingsInput& input);

// The value `config show` may print: secrets are masked.
std::string shown_value(const Setting& setting, const LoadedConfig& loaded);

// True for names with a part token, key, secret or password: never logged.
bool is_secret(std::string_view name);

// The nearest of `names` to `word` by edit distance, empty when none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

}  // namespace lectern
