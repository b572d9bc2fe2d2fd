// The index file as a whole: whether it is ours, making an empty one, opening one. The
// tables are described in docs/formats/index.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lectern/result.h"
#include "store/sqlite/connection.h"

namespace lectern::store {

enum class Identity { kAbsent, kOurs, kForeign };

struct FileHead {
  Identity identity = Identity::kAbsent;
  uint32_t version = 0;  // of the format, when it is ours
};

// Looks at the file's first bytes only. An empty file counts as absent: a process may
// have died before it wrote anything. Errors: kIo when it cannot be read.
Result<FileHead> identify(const std::string& path);

tl::unexpected<Error> not_ours(const std::string& path);

// Opens what is there. Errors: kNoIndex; kBadIndex when it is foreign, damaged, or of
// another format version.
Result<std::unique_ptr<Connection>> open_index(const std::string& path, Access access,
                                               const std::string& vfs);

// The same checks on a connection whose file may have been changed by another process.
Status check_version(Connection& connection);

// Puts an empty index at `path`, in place of whatever is there: built beside and renamed,
// so that a death in between leaves what there was. The caller has made sure that the old
// file is absent, or ours and of no more use.
Status place_blank(const std::string& path, const std::string& vfs);

// Empties every table; the numbers that are never used twice go on.
Status clear_tables(Connection& connection);

}  // namespace lectern::store
