// See fault_vfs.h. Shared memory and locks go straight through: they vanish with a process.
#include "fault_vfs.h"

#include <sqlite3.h>

#include <cstring>

namespace lectern::index {

namespace {

constexpr char kName[] = "lectern-fault";

struct State {
  Fault fault = Fault::kError;
  uint64_t left = 0;  // operations until it strikes; 0: not armed
  bool struck = false;
};
State state;

enum class Verdict { kPass, kHalf, kFail };

bool is_lasting(Fault fault) { return fault != Fault::kError; }

Verdict judge() {
  if (state.struck) return is_lasting(state.fault) ? Verdict::kFail : Verdict::kPass;
  if (state.left == 0 || --state.left > 0) return Verdict::kPass;
  state.struck = true;
  return state.fault == Fault::kTorn ? Verdict::kHalf : Verdict::kFail;
}

int failure(int otherwise) { return state.fault == Fault::kDiskFull ? SQLITE_FULL : otherwise; }

struct FaultFile {
  sqlite3_file base;
  sqlite3_file* real;
};

sqlite3_file* real_of(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file)->real; }
sqlite3_vfs* real_vfs(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

int close_file(sqlite3_file* file) { return real_of(file)->pMethods->xClose(real_of(file)); }
int read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  return real_of(file)->pMethods->xRead(real_of(file), to, size, at);
}
int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  sqlite3_file* real = real_of(file);
  switch (judge()) {
    case Verdict::kPass:
      return real->pMethods->xWrite(real, from, size, at);
    case Verdict::kHalf:
      real->pMethods->xWrite(real, from, size / 2, at);
      break;
    case Verdict::kFail:
      break;
  }
  return failure(SQLITE_IOERR_WRITE);
}
int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (judge() != Verdict::kPass) return failure(SQLITE_IOERR_TRUNCATE);
  return real_of(file)->pMethods->xTruncate(real_of(file), size);
}
int sync(sqlite3_file* file, int flags) {
  if (judge() != Verdict::kPass) return failure(SQLITE_IOERR_FSYNC);
  return real_of(file)->pMethods->xSync(real_of(file), flags);
}
int size_of(sqlite3_file* file, sqlite3_int64* size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
int lock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xLock(real_of(file), level);
}
int unlock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
int check_lock(sqlite3_file* file, int* held) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), held);
}
int control(sqlite3_file* file, int what, void* argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}
int sector_size(sqlite3_file* file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
int characteristics(sqlite3_file* file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
int map_memory(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}
int lock_memory(sqlite3_file* file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
void memory_barrier(sqlite3_file* file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
int unmap_memory(sqlite3_file* file, int remove) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

const sqlite3_io_methods kMethods = {2,
                                     close_file,
                                     read,
                                     write,
                                     truncate,
                                     sync,
                                     size_of,
                                     lock,
                                     unlock,
                                     check_lock,
                                     control,
                                     sector_size,
                                     characteristics,
                                     map_memory,
                                     lock_memory,
                                     memory_barrier,
                                     unmap_memory,
                                     nullptr,
                                     nullptr};

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* fault_file = reinterpret_cast<FaultFile*>(file);
  fault_file->real = reinterpret_cast<sqlite3_file*>(fault_file + 1);
  fault_file->base.pMethods = nullptr;
  const int code = real_vfs(vfs)->xOpen(real_vfs(vfs), name, fault_file->real, flags, out_flags);
  if (fault_file->real->pMethods != nullptr) fault_file->base.pMethods = &kMethods;
  return code;
}

int delete_file(sqlite3_vfs* vfs, const char* name, int sync_folder) {
  if (judge() != Verdict::kPass) return failure(SQLITE_IOERR_DELETE);
  return real_vfs(vfs)->xDelete(real_vfs(vfs), name, sync_folder);
}

}  // namespace

std::string fault_vfs() {
  static sqlite3_vfs* const registered = [] {
    sqlite3_vfs* real = sqlite3_vfs_find(nullptr);
    static sqlite3_vfs vfs = *real;
    vfs.zName = kName;
    vfs.pNext = nullptr;
    vfs.szOsFile = static_cast<int>(sizeof(FaultFile)) + real->szOsFile;
    vfs.pAppData = real;
    vfs.xOpen = open_file;
    vfs.xDelete = delete_file;
    vfs.xAccess = [](sqlite3_vfs* v, const char* name, int flags, int* out) {
      return real_vfs(v)->xAccess(real_vfs(v), name, flags, out);
    };
    vfs.xFullPathname = [](sqlite3_vfs* v, const char* name, int size, char* out) {
      return real_vfs(v)->xFullPathname(real_vfs(v), name, size, out);
    };
    sqlite3_vfs_register(&vfs, 0);
    return &vfs;
  }();
  return registered->zName;
}

void arm(Fault fault, uint64_t at) { state = {fault, at, false}; }

bool disarm() {
  const bool struck = state.struck;
  state = {};
  return struck;
}

}  // namespace lectern::index
