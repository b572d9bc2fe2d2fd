// Taking and waiting for the writer's lock; see writer_lock.h.
#include "store/writer_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace lectern::store {

namespace {

Result<int> open_lock_file(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorCode::kIo, "cannot make the folder: " + error.message(), folder);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (descriptor < 0) {
    return fail(ErrorCode::kIo, std::string("cannot open the lock file: ") + std::strerror(errno),
                path);
  }
  return descriptor;
}

// The process id the holder wrote, digits only; empty when it did not get to it.
std::string holder(int descriptor) {
  char text[24] = {};
  const ssize_t got = ::pread(descriptor, text, sizeof text - 1, 0);
  std::string digits;
  for (ssize_t i = 0; i < got && text[i] >= '0' && text[i] <= '9'; ++i) digits.push_back(text[i]);
  return digits;
}

// Only for the message of those who wait, so a failure here does not matter.
void write_holder(int descriptor) {
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

Result<WriterLock> WriterLock::acquire(const std::string& index_path, uint32_t wait_ms,
                                       const std::atomic<bool>* cancel) {
  using Clock = std::chrono::steady_clock;
  const std::string path = index_path + ".lock";
  TRY(const int descriptor, open_lock_file(path));
  WriterLock lock(descriptor);
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(wait_ms);
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return fail(ErrorCode::kIo, std::string("cannot lock: ") + std::strerror(errno), path);
    }
    if (cancel != nullptr && cancel->load()) {
      return fail(ErrorCode::kCancelled, "stopped while waiting for another indexing run", path);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) {
      const std::string id = holder(descriptor);
      return fail(ErrorCode::kBusy,
                  (id.empty() ? "another process" : "process " + id) + " is indexing", index_path,
                  "wait for it to finish, or stop it and run `lectern index` again");
    }
    std::this_thread::sleep_for(std::min(left, std::chrono::milliseconds(20)));
  }
  write_holder(descriptor);
  return lock;
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace lectern::store
