// The two kinds of settings file, read into plain entries: YAML (the user's config.yaml, a
// vault's .lectern.yaml) and .env. Both may be hostile: size, depth and aliases are bounded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lectern/result.h"

namespace lectern {

struct FileEntry {
  std::string name;                 // "keyword.k1"
  std::vector<std::string> values;  // a scalar gives one; collections give "name=folder"
  uint32_t line = 0;                // 1-based
};

// Entries in file order; whether a name is a setting is the caller's business. Errors:
// kNotFound (no such file), kConfig naming file and line.
Result<std::vector<FileEntry>> read_yaml_settings(const std::string& path);

struct EnvEntry {
  std::string value;
  uint32_t line = 0;
};

// KEY=VALUE lines; `export`, comments, single and double quotes. Only LECTERN_* keys are
// returned. Errors: kConfig naming file and line.
Result<std::map<std::string, EnvEntry>> read_env_file(const std::string& path);

}  // namespace lectern
