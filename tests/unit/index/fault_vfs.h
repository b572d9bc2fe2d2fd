// A VFS between SQLite and the disk that fails at the n-th write, sync, truncate or
// delete, in one of several ways.
#pragma once

#include <cstdint>
#include <string>

namespace lectern::index {

enum class Fault {
  kError,     // that one operation fails with EIO, later ones work
  kDiskFull,  // from then on every write fails with ENOSPC
  kTorn,      // half of the bytes are written, then the process is as good as dead
  kKill,      // as good as dead: from then on nothing reaches the disk
};

// Registers the VFS once; gives its name.
std::string fault_vfs();

// Arms it: the n-th operation from now (1-based) fails. 0: never.
void arm(Fault fault, uint64_t at);
// Whether the armed fault has struck. Disarms.
bool disarm();

}  // namespace lectern::index
