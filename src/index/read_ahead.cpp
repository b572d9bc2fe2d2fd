// Parallel reading in order; see read_ahead.h.
#include "index/read_ahead.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "text/token_estimate.h"
#include "vault/parse.h"

namespace lectern::index {

namespace {

constexpr size_t kWindowFiles = 256;
constexpr uint64_t kWindowBytes = 16u << 20;
// Fewer files than this are not worth a thread.
constexpr size_t kFilesPerThread = 4;

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Reads again, once, when the file changed under the first reading.
Result<FileBytes> read_steady(const std::string& path, uint64_t max_bytes) {
  TRY(auto bytes, read_file(path, max_bytes));
  if (!bytes.changed_while_read) return bytes;
  TRY(bytes, read_file(path, max_bytes));
  if (bytes.changed_while_read) return fail(ErrorCode::kIo, "changes while it is read", path);
  return bytes;
}

}  // namespace

ReadNote read_note(const Config& config, const PlannedRead& planned) {
  ReadNote out;
  const int64_t read_at = now_ns();
  // One byte more than is indexed, so that the parser sees that there is more.
  auto bytes = read_steady(config.vault + "/" + planned.path, config.limits.note_bytes + 1);
  if (!bytes) {
    out.outcome =
        bytes.error().code == ErrorCode::kNotFound ? ReadOutcome::kVanished : ReadOutcome::kFailed;
    out.reason = bytes.error().message;
    return out;
  }
  out.stat = bytes->stat;
  out.racy = is_racy(out.stat, read_at);
  out.hash = hash128(bytes->bytes);
  if (planned.known.note != 0 && !planned.parse_always && out.hash == planned.known.hash) {
    out.outcome = ReadOutcome::kSame;
    return out;
  }
  out.outcome = ReadOutcome::kParsed;
  out.note = vault::parse_note(planned.path, bytes->bytes, {config.limits.note_bytes});
  out.note.hash = out.hash;
  out.chunks = chunk::make_chunks(out.note, config.chunk, text::estimate_tokens);
  out.chunk_texts.reserve(out.chunks.size());
  for (const chunk::Chunk& chunk : out.chunks) {
    out.chunk_texts.push_back(chunk::chunk_text(out.note, chunk));
  }
  return out;
}

ReadAhead::ReadAhead(const Config& config, const std::vector<PlannedRead>& reads)
    : config_(config), reads_(reads) {
  const size_t wanted = std::min<size_t>(std::max(1U, std::thread::hardware_concurrency()),
                                         reads.size() / kFilesPerThread);
  for (size_t i = 0; i < wanted; ++i) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      break;  // no more threads to be had: fewer, or none, do the work
    }
  }
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

uint64_t ReadAhead::weight(size_t index) const {
  return std::min(reads_[index].stat.size, config_.limits.note_bytes);
}

bool ReadAhead::may_start() const {
  if (next_start_ >= reads_.size()) return false;
  if (next_start_ == next_out_) return true;  // the one that is waited for, whatever its size
  return next_start_ < next_out_ + kWindowFiles && bytes_ + weight(next_start_) <= kWindowBytes;
}

void ReadAhead::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || next_start_ >= reads_.size() || may_start(); });
    if (stop_ || next_start_ >= reads_.size()) return;
    const size_t index = next_start_++;
    bytes_ += weight(index);
    lock.unlock();
    ReadNote result = read_note(config_, reads_[index]);
    lock.lock();
    done_.emplace(index, std::move(result));
    changed_.notify_all();
  }
}

ReadNote ReadAhead::next() {
  if (threads_.empty()) return read_note(config_, reads_[next_out_++]);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_.contains(next_out_); });
  ReadNote result = std::move(done_.extract(next_out_).mapped());
  bytes_ -= weight(next_out_);
  ++next_out_;
  changed_.notify_all();
  return result;
}

}  // namespace lectern::index
