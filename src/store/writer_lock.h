// WriterLock: the role of the one writer of an index, across processes.
//
// flock(2) on `<index>.lock`: the kernel frees it when its holder dies, however it dies.
// The file names the holder for the message only and is never deleted (a deleted lock
// file could be locked by two processes at once).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "lectern/result.h"

namespace lectern::store {

class WriterLock {
 public:
  // Waits at most `wait_ms` for another writer. Makes the folder and the file (0600) when
  // absent. Errors: kBusy naming the holder's process, kCancelled, kIo.
  static Result<WriterLock> acquire(const std::string& index_path, uint32_t wait_ms,
                                    const std::atomic<bool>* cancel = nullptr);

  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace lectern::store
