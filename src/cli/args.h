// args: the words of a command line -> an Invocation. Nothing is read but the words; every
// mistake is an Error that names the nearest valid spelling.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "lectern/result.h"
#include "lectern/types.h"

namespace lectern::cli {

struct Invocation {
  Command command = Command::kHelp;
  std::string help_topic;  // of kHelp: a command's name, or empty
  bool json = false;
  bool verbose = false;
  bool quiet = false;
  bool no_progress = false;
  std::string color = "auto";
  std::map<std::string, std::vector<std::string>> settings;  // SettingsInput::flags

  IndexRequest index;
  SearchRequest search;
  AskRequest ask;
  GetRequest get;
  std::string get_operand;  // PATH[:LINE[-LINE]] as typed: a file's name may look like that
  std::string note;         // of links
  std::string shell;        // of completions
};

// `args` without the program's name. Errors: kInvalidArgument, kUnavailable (planned, not
// built yet).
Result<Invocation> parse_args(const std::vector<std::string>& args);

// Whether --json was given, also when the rest cannot be parsed.
bool wants_json(const std::vector<std::string>& args);

}  // namespace lectern::cli
