// The plan of a run: which files to read, which entries to drop. Pure: compares what the
// index knows with what the scan saw; nothing is read here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"
#include "vault/scan.h"

namespace lectern::index {

struct PlannedRead {
  std::string path;
  FileStat stat;              // as scanned
  store::FileState known;     // known.note 0: a new path
  bool parse_always = false;  // even when the bytes are those of the last time
};

struct Plan {
  std::vector<PlannedRead> reads;      // by path
  std::vector<store::FileState> gone;  // by path
  // Entries under folders or files that cannot be read now: they stay as they are.
  std::vector<std::string> kept;
  uint64_t unchanged = 0;  // same stat as last time
};

// `known` and scan.files are sorted by path. `everything`: read all, whatever their stat.
Plan make_plan(const std::vector<store::FileState>& known, const vault::ScanResult& scan,
               bool everything);

// A file written within the clock's grain of being read may change again without its size
// or time showing it. Two seconds: the coarsest time stamps in use (FAT).
bool is_racy(const FileStat& stat, int64_t read_at_ns);

// True when `path` is `folder` or lies beneath it.
bool is_within(std::string_view path, std::string_view folder);

}  // namespace lectern::index
