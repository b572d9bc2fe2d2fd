// console: the process around a command: standard streams, colours, progress, signals.
// Everything a command prints goes through it.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args.h"
#include "cli/layout.h"
#include "lectern/engine.h"
#include "lectern/result.h"

namespace lectern::cli {

// Once, before anything is opened: ignores SIGPIPE and makes sure that descriptors 0 to 2
// are taken, so that no file of ours can get the number of a closed standard stream.
void prepare_process();

// Exit codes, as grep's.
constexpr int kFound = 0;
constexpr int kNothing = 1;
constexpr int kError = 2;

class Console {
 public:
  explicit Console(const Invocation& invocation);

  const Style& style() const { return style_; }
  bool json() const { return json_; }

  // Writes to standard output; what cannot be written makes finish() return kError.
  void print(std::string_view text);
  void print_json(std::string_view object);
  // A line on standard error, unless --quiet; never with --json for warnings that the
  // object holds already.
  void note(std::string_view line) const;
  void warn(const std::vector<Warning>& warnings) const;
  // The first ten, then how many more there are.
  void warn_briefly(const std::vector<Warning>& warnings) const;

  // Reports the error on standard error, with --json also as an object; gives kError.
  int fail(const Error& error);
  // `code`, or kError when the output could not be written.
  int finish(int code) const;

  // Shows progress on standard error when that is a terminal, after one second.
  ProgressFn progress() const;
  void end_progress() const;

 private:
  Style style_;
  bool json_ = false;
  bool quiet_ = false;
  bool progress_ = false;
  bool write_failed_ = false;
};

// Set while it lives: SIGINT and SIGTERM raise the flag instead of ending the process; a
// second one ends it.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  const std::atomic<bool>* flag() const;
};

}  // namespace lectern::cli
