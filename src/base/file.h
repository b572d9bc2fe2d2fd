// Reading files that may be hostile: regular files only, never through a symbolic
// link's last component unless asked, never blocking on a FIFO, bounded in size.
#pragma once

#include <cstdint>
#include <string>

#include "lectern/result.h"

namespace lectern {

struct FileStat {
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  int64_t ctime_ns = 0;
  uint64_t inode = 0;
  uint64_t device = 0;
  bool operator==(const FileStat&) const = default;
};

// Errors: kNotFound (no such file), kIo (not a regular file, no permission, ...).
Result<FileStat> stat_file(const std::string& path);

struct FileBytes {
  std::string bytes;
  FileStat stat;           // of the open descriptor, taken after reading
  bool truncated = false;  // the file is longer than max_bytes
  bool changed_while_read = false;
};

// Reads at most `max_bytes`. Follows symbolic links (the scanner has already refused
// those that leave the vault). Errors as stat_file.
Result<FileBytes> read_file(const std::string& path, uint64_t max_bytes);

// "2026-03-14T09:26:53Z"
std::string iso_time(int64_t unix_seconds);
int64_t unix_now();

}  // namespace lectern
