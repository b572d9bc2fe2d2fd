// Which files of a vault are notes: one walk of the folder tree, nothing read.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "lectern/result.h"
#include "lectern/types.h"

namespace lectern::vault {

struct ScanOptions {
  std::vector<std::string> include;  // globs; empty: every note
  std::vector<std::string> exclude;
  bool include_private = false;  // folders named _private and _sensitiveData
};

struct ScannedFile {
  std::string path;  // vault-relative
  FileStat stat;
};

struct ScanResult {
  std::vector<ScannedFile> files;        // sorted by path (bytes)
  std::vector<std::string> attachments;  // other vault files (images, pdf, .base), for links
  // Folders or files that exist but could not be listed or stat'ed: their old entries stay.
  std::vector<std::string> unreadable;
  std::vector<Warning> warnings;
};

// Walks `vault` (absolute). Skips dot folders and files, `.trash`, editors' temporary
// files, private folders; follows symbolic links that stay inside the vault, once per
// real file. Notes are regular files ending in .md, .markdown or .canvas (any case).
// Errors: kVaultUnreachable when the folder itself cannot be listed.
Result<ScanResult> scan(const std::string& vault, const ScanOptions& options);

// Glob as in .gitignore: `*`, `?`, `[..]`, `**`, a trailing `/` (folders only), a leading
// `/` (anchored); a pattern without inner `/` matches at any depth; a matched folder takes
// everything beneath it. Also accepts `folder`, `folder/`, `./folder`, `folder/**`,
// absolute paths inside the vault, and backslashes as separators.
class GlobSet {
 public:
  // Errors: kInvalidArgument naming the pattern.
  static Result<GlobSet> compile(const std::vector<std::string>& patterns,
                                 const std::string& vault);
  bool empty() const { return patterns_.empty(); }
  // True when `path` or a folder above it matches.
  bool matches(std::string_view path, bool is_folder = false) const;

 private:
  struct Pattern {
    std::vector<std::string> components;
    bool anchored = false, folder_only = false, negated = false;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace lectern::vault
