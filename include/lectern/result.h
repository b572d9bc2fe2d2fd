// Result and Error: how every fallible call in Lectern reports failure.
//
// A function that depends on input, disk, network or a model returns Result<T>.
// An Error says what went wrong, where, and what the reader can do about it, so
// that the command line, HTTP and MCP can print the same line. Programmer errors
// are CHECKs (src/base/check.h), never Errors.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace lectern {

// The closed set of failures. `code_name` gives the spelling used in JSON.
enum class ErrorCode {
  kInvalidArgument,   // the caller's words are off: unknown flag, bad date, bad glob
  kNotFound,          // a note, line or block that is not there
  kNoVault,           // no vault given and none found above the current folder
  kNoIndex,           // the index file does not exist yet
  kBadIndex,          // the index file is damaged, foreign, or of a newer schema
  kBusy,              // another process holds the writer's role
  kRefused,           // a safety stop: the run would delete most of the index
  kVaultUnreachable,  // the vault's folder cannot be read
  kIo,                // any other failure of disk or system
  kConfig,            // a configuration file or environment value is wrong
  kDeadline,          // the time given ran out
  kCancelled,
  kUnavailable,  // a part that is not built or not installed
  kInternal,
};

std::string_view code_name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // what happened, in words, one line
  std::string where;    // file, setting or flag it happened at; may be empty
  std::string hint;     // what to do about it; may be empty
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {},
                                  std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where), std::move(hint)});
}

// "where: message; hint" on one line, for logs and stderr.
std::string to_line(const Error& error);

}  // namespace lectern

#define LECTERN_CONCAT_INNER(a, b) a##b
#define LECTERN_CONCAT(a, b) LECTERN_CONCAT_INNER(a, b)

// TRY(auto x, call()); returns the Error from the enclosing function or binds the value.
#define TRY(declaration, ...) \
  TRY_IMPL(LECTERN_CONCAT(try_result_, __COUNTER__), declaration, __VA_ARGS__)
#define TRY_IMPL(name, declaration, ...)              \
  auto name = (__VA_ARGS__);                          \
  if (!name) [[unlikely]]                             \
    return ::tl::unexpected(std::move(name).error()); \
  declaration = *std::move(name)

// TRY_STATUS(call()); the same for calls that return Status.
#define TRY_STATUS(...) TRY_STATUS_IMPL(LECTERN_CONCAT(try_status_, __COUNTER__), __VA_ARGS__)
#define TRY_STATUS_IMPL(name, ...)                      \
  do {                                                  \
    auto name = (__VA_ARGS__);                          \
    if (!name) [[unlikely]]                             \
      return ::tl::unexpected(std::move(name).error()); \
  } while (false)
