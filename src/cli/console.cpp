// Standard streams, progress and signals; see console.h.
#include "cli/console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "cli/views.h"
#include "serve/wire.h"

namespace lectern::cli {

namespace {

bool g_stdout_was_closed = false;
std::atomic<bool> g_interrupted{false};

// False when not everything could be written; errno says why.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        ::usleep(1000);  // a terminal that another program left non-blocking
        continue;
      }
      return false;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void write_error_line(std::string_view line) {
  write_all(STDERR_FILENO, fmt::format("lectern: {}\n", safe_line(line)));
}

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool wants_color(std::string_view choice) {
  if (choice != "auto") return choice == "always";
  return ::isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

// Wide terminals are read at 100 columns; pipes and files get that much too.
size_t output_width() {
  constexpr size_t kDefault = 100, kMin = 40, kMax = 100;
  if (::isatty(STDOUT_FILENO) != 1) return kDefault;
  struct winsize size {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<size_t>(size.ws_col, kMin, kMax);
  }
  return kDefault;
}

std::string_view phase_text(std::string_view phase) {
  if (phase == "scan") return "Looking for notes";
  if (phase == "read") return "Reading notes";
  if (phase == "merge") return "Merging the index";
  return phase == "links" ? "Resolving links" : "Working";
}

extern "C" void raise_interrupt(int) { g_interrupted.store(true); }

}  // namespace

void prepare_process() {
  ::signal(SIGPIPE, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    if (descriptor == STDOUT_FILENO) g_stdout_was_closed = true;
    // The lowest free number is this one: lower ones are taken already.
    if (::open("/dev/null", O_RDWR) < 0) std::_Exit(kError);
  }
}

Console::Console(const Invocation& invocation)
    : json_(invocation.json), quiet_(invocation.quiet), write_failed_(g_stdout_was_closed) {
  style_.color = !json_ && wants_color(invocation.color);
  style_.width = output_width();
  progress_ = !invocation.no_progress && !quiet_ && ::isatty(STDERR_FILENO) == 1 &&
              variable("TERM") != "dumb";
}

void Console::print(std::string_view text) {
  if (write_failed_ || write_all(STDOUT_FILENO, text)) return;
  write_failed_ = true;
  // A reader that went away (head, a closed pager) knows; a full disk is news.
  if (errno != EPIPE && errno != EBADF) {
    write_error_line(fmt::format("standard output: {}", std::strerror(errno)));
  }
}

void Console::print_json(std::string_view object) { print(std::string(object) + "\n"); }

void Console::note(std::string_view line) const {
  if (!quiet_) write_error_line(line);
}

void Console::warn(const std::vector<Warning>& warnings) const {
  for (const Warning& warning : warnings) note("warning: " + view_warning(warning));
}

void Console::warn_briefly(const std::vector<Warning>& warnings) const {
  constexpr size_t kShown = 10;
  for (size_t i = 0; i < warnings.size() && i < kShown; ++i) {
    note("warning: " + view_warning(warnings[i]));
  }
  if (warnings.size() > kShown) {
    note(fmt::format("and {} more warnings; --json lists all", count(warnings.size() - kShown)));
  }
}

int Console::fail(const Error& error) {
  write_error_line(to_line(error));
  if (json_) print_json(serve::to_json(error));
  return kError;
}

int Console::finish(int code) const { return write_failed_ ? kError : code; }

ProgressFn Console::progress() const {
  if (!progress_) return {};
  using Clock = std::chrono::steady_clock;
  struct State {
    Clock::time_point next = Clock::now() + std::chrono::seconds(1);
  };
  return [state = std::make_shared<State>()](const IndexProgress& now) {
    if (Clock::now() < state->next) return;
    state->next = Clock::now() + std::chrono::milliseconds(100);
    const std::string done =
        now.total > 0 ? fmt::format("  {} of {}", count(now.done), count(now.total)) : "";
    write_all(STDERR_FILENO, fmt::format("\r\x1b[K{}{}", phase_text(now.phase), done));
  };
}

void Console::end_progress() const {
  if (progress_) write_all(STDERR_FILENO, "\r\x1b[K");
}

InterruptFlag::InterruptFlag() {
  g_interrupted.store(false);
  struct sigaction action {};
  action.sa_handler = raise_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // a second one ends the process
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

InterruptFlag::~InterruptFlag() {
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* InterruptFlag::flag() const { return &g_interrupted; }

}  // namespace lectern::cli
