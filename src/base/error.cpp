#include "lectern/result.h"

namespace lectern {

std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kNoVault:
      return "no_vault";
    case ErrorCode::kNoIndex:
      return "no_index";
    case ErrorCode::kBadIndex:
      return "bad_index";
    case ErrorCode::kBusy:
      return "busy";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kVaultUnreachable:
      return "vault_unreachable";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kConfig:
      return "config";
    case ErrorCode::kDeadline:
      return "deadline";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

std::string to_line(const Error& error) {
  std::string line;
  if (!error.where.empty()) line += error.where + ": ";
  line += error.message;
  if (!error.hint.empty()) line += "; " + error.hint;
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return line;
}

}  // namespace lectern
