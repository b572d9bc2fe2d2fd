#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace lectern {

namespace {

FileStat from_stat(const struct stat& raw) {
  FileStat out;
  out.size = static_cast<uint64_t>(raw.st_size);
  out.mtime_ns = raw.st_mtim.tv_sec * 1'000'000'000LL + raw.st_mtim.tv_nsec;
  out.ctime_ns = raw.st_ctim.tv_sec * 1'000'000'000LL + raw.st_ctim.tv_nsec;
  out.inode = raw.st_ino;
  out.device = raw.st_dev;
  return out;
}

tl::unexpected<Error> system_error(const std::string& path, int number) {
  const ErrorCode code =
      number == ENOENT || number == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo;
  return fail(code, std::strerror(number), path);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Result<FileStat> stat_file(const std::string& path) {
  struct stat raw {};
  if (::stat(path.c_str(), &raw) != 0) return system_error(path, errno);
  if (!S_ISREG(raw.st_mode)) return fail(ErrorCode::kIo, "is not a regular file", path);
  return from_stat(raw);
}

Result<FileBytes> read_file(const std::string& path, uint64_t max_bytes) {
  // O_NONBLOCK: opening a FIFO must not wait for its other end.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) return system_error(path, errno);
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) return system_error(path, errno);
  if (!S_ISREG(before.st_mode)) return fail(ErrorCode::kIo, "is not a regular file", path);

  FileBytes out;
  const auto expected = std::min<uint64_t>(static_cast<uint64_t>(before.st_size), max_bytes);
  out.bytes.resize(expected + 1);  // one more, to see whether the file goes on
  uint64_t have = 0;
  while (true) {
    if (have == out.bytes.size()) {
      if (have > max_bytes) break;
      out.bytes.resize(std::min<uint64_t>(max_bytes + 1, have * 2));
      if (have == out.bytes.size()) break;
    }
    const ssize_t got = ::read(file.get(), out.bytes.data() + have, out.bytes.size() - have);
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_error(path, errno);
    }
    if (got == 0) break;
    have += static_cast<uint64_t>(got);
  }
  out.truncated = have > max_bytes;
  out.bytes.resize(std::min(have, max_bytes));
  struct stat after {};
  if (::fstat(file.get(), &after) != 0) return system_error(path, errno);
  out.stat = from_stat(after);
  out.changed_while_read = !(from_stat(before) == out.stat);
  return out;
}

std::string iso_time(int64_t unix_seconds) {
  const auto seconds = static_cast<time_t>(unix_seconds);
  struct tm parts {};
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  char text[40];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

int64_t unix_now() { return static_cast<int64_t>(std::time(nullptr)); }

}  // namespace lectern
