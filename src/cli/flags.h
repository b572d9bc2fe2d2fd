// Commands and flags: one row each. Parsing, help and shell completions all read these
// tables, so that they cannot disagree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lectern::cli {

enum class Command {
  kHelp,
  kVersion,
  kIndex,
  kSearch,
  kAsk,
  kGet,
  kLinks,
  kStatus,
  kConfigShow,
  kCompletions,
};

struct CommandInfo {
  Command command;
  std::string_view name;      // as typed; "config" stands for "config show"
  std::string_view operands;  // "QUERY"
  std::string_view summary;
  std::string_view choices;  // words its operand may be, separated by spaces; empty: free
};

struct Flag {
  std::string_view name;    // "--folder"
  std::string_view letter;  // "-n"; empty: none
  std::string_view value;   // "FOLDER"; empty: a switch
  std::string_view meaning;
  std::string_view commands;  // names separated by spaces; empty: every command
  std::string_view choices;   // the only values allowed, separated by spaces; empty: free
  std::string_view setting;   // the setting it gives; empty: none
  bool is_file = false;       // completed with file names
};

const std::vector<CommandInfo>& commands();
const std::vector<Flag>& flags();

const CommandInfo* find_command(std::string_view name);
const Flag* find_flag(std::string_view name_or_letter);
bool belongs_to(const Flag& flag, std::string_view command);

// Commands and flags that the interface names but this version does not have.
bool is_planned_command(std::string_view name);
bool is_planned_flag(std::string_view name);

std::vector<std::string> words_of(std::string_view separated_by_spaces);

// The text of `lectern --help`, or of `lectern COMMAND --help`.
std::string help_text(std::string_view command);

}  // namespace lectern::cli
