// lectern: the command line. Parses the words, runs one command, returns its exit code:
// 0 found or answered, 1 nothing found or abstained, 2 any error.
#include <exception>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/console.h"

namespace {

using namespace lectern::cli;

int run(const std::vector<std::string>& args) {
  const auto invocation = parse_args(args);
  if (!invocation) {
    Invocation unparsed;
    unparsed.json = wants_json(args);
    return Console(unparsed).fail(invocation.error());
  }
  Console console(*invocation);
  switch (invocation->command) {
    case Command::kHelp:
      return run_help(*invocation, console);
    case Command::kVersion:
      return run_version(console);
    case Command::kIndex:
      return run_index(*invocation, console);
    case Command::kSearch:
      return run_search(*invocation, console);
    case Command::kAsk:
      return run_ask(*invocation, console);
    case Command::kGet:
      return run_get(*invocation, console);
    case Command::kLinks:
      return run_links(*invocation, console);
    case Command::kStatus:
      return run_status(*invocation, console);
    case Command::kConfigShow:
      return run_config_show(*invocation, console);
    case Command::kCompletions:
      return run_completions(*invocation, console);
  }
  return kError;
}

}  // namespace

int main(int argc, char** argv) {
  prepare_process();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    return run(args);
  } catch (const std::exception& problem) {  // out of memory, or a fault of ours
    Invocation plain;
    plain.json = wants_json(args);
    return Console(plain).fail({lectern::ErrorCode::kInternal, problem.what(), "", ""});
  }
}
