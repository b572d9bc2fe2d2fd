// The tables of commands and flags, and the help text made from them; see flags.h.
#include "cli/flags.h"

#include <fmt/format.h>

#include <algorithm>

namespace lectern::cli {

namespace {

constexpr std::string_view kFiltered = "search ask";

const Flag* find_in_table(std::string_view name) {
  for (const Flag& flag : flags()) {
    if (flag.name == name || (!flag.letter.empty() && flag.letter == name)) return &flag;
  }
  return nullptr;
}

std::string flag_column(const Flag& flag) {
  std::string out = flag.letter.empty() ? std::string("    ") : fmt::format("{}, ", flag.letter);
  out += flag.name;
  if (!flag.value.empty()) out += fmt::format(" {}", flag.value);
  return out;
}

std::string flag_lines(std::string_view command, bool global) {
  std::string out;
  for (const Flag& flag : flags()) {
    if (flag.commands.empty() != global || !belongs_to(flag, command)) continue;
    std::string meaning(flag.meaning);
    if (!flag.choices.empty()) {
      meaning += fmt::format(": {}", fmt::join(words_of(flag.choices), ", "));
    }
    out += fmt::format("  {:<26}  {}\n", flag_column(flag), meaning);
  }
  return out;
}

std::string usage(const CommandInfo& command) {
  return fmt::format("lectern {}{}{}", command.name, command.operands.empty() ? "" : " ",
                     command.operands);
}

constexpr std::string_view kFilterNotes =
    "\nRepeated folders and notes widen the scope, repeated tags and fields narrow it;\n"
    "!FOLDER and !TAG exclude. Dates are 2026, 2026-03 or 2026-03-14.\n";

constexpr std::string_view kQueryNotes =
    "\nWords are joined by spaces. \"Several words\" in quotes are a phrase, -word excludes.\n"
    "A query that starts with - and has no space goes after --, as in\n"
    "  lectern search -- -draft\n";

}  // namespace

const std::vector<CommandInfo>& commands() {
  static const std::vector<CommandInfo> kCommands = {
      {Command::kIndex, "index", "[VAULT]", "index the notes, or bring the index up to date", ""},
      {Command::kSearch, "search", "QUERY", "find passages", ""},
      {Command::kAsk, "ask", "QUESTION", "answer from the notes, with cited lines", ""},
      {Command::kGet, "get", "PATH[:LINE[-LINE]]", "print lines of a note, numbered", ""},
      {Command::kLinks, "links", "NOTE", "links of a note, and links to it", ""},
      {Command::kStatus, "status", "", "what the index holds", ""},
      {Command::kConfigShow, "config", "show", "every setting, its value and where it comes from",
       "show"},
      {Command::kCompletions, "completions", "bash|zsh|fish", "print a shell's completion script",
       "bash zsh fish"},
  };
  return kCommands;
}

const std::vector<Flag>& flags() {
  static const std::vector<Flag> kFlags = {
      {"--limit", "-n", "K", "passages wanted, 1 to 1000", "search", "", "search.limit"},
      {"--mode", "", "MODE", "which lanes rank", "search", "hybrid keyword semantic title focused",
       ""},
      {"--generator", "", "NAME", "what writes the answer (default extractive)", "ask", "", ""},
      {"--gate", "", "KIND", "how it is decided whether the notes hold an answer", "ask", "",
       "gate.kind"},
      {"--folder", "", "FOLDER", "only notes in this folder", kFiltered, "", ""},
      {"--path", "", "NOTE", "only this note", kFiltered, "", ""},
      {"--tag", "", "TAG", "only notes with this tag", kFiltered, "", ""},
      {"--where", "", "KEY=VALUE", "only notes whose field has this value", kFiltered, "", ""},
      {"--after", "", "DATE", "only passages dated then or later", kFiltered, "", ""},
      {"--before", "", "DATE", "only passages dated earlier", kFiltered, "", ""},
      {"--collection", "", "NAME", "only notes of this collection", kFiltered, "", ""},
      {"--explain", "", "", "show what every stage did", kFiltered, "", ""},
      {"--id", "", "BLOCK_ID", "find a cited block again", "get", "", ""},
      {"--full", "", "", "read every note again", "index", "", ""},
      {"--force-empty", "", "", "allow a run that drops most notes", "index", "", ""},
      {"--no-embed", "", "", "leave embeddings for later", "index", "", ""},
      {"--embed-limit", "", "N", "embed at most so many passages", "index", "", ""},
      {"--include", "", "GLOB", "read only notes that match, repeatable", "index", "", "include"},
      {"--exclude", "", "GLOB", "leave out notes that match, repeatable", "index", "", "exclude"},
      {"--vault", "", "FOLDER", "the folder of notes", "", "", "vault", true},
      {"--index", "", "FILE", "the index file", "", "", "index", true},
      {"--config", "", "FILE", "the configuration file", "", "", "config", true},
      {"--env-file", "", "FILE", "a .env file to read", "", "", "env_file", true},
      {"--offline", "", "", "never use the network", "", "", "offline"},
      {"--json", "", "", "one JSON object on standard output", "", "", ""},
      {"--verbose", "", "", "say which vault, index and configuration are used", "", "", ""},
      {"--quiet", "", "", "no summaries and no warnings", "", "", ""},
      {"--no-progress", "", "", "no progress line", "", "", ""},
      {"--color", "", "WHEN", "colours", "", "auto always never", ""},
      {"--help", "-h", "", "this text", "", "", ""},
      {"--version", "", "", "the version", "", "", ""},
  };
  return kFlags;
}

const CommandInfo* find_command(std::string_view name) {
  for (const CommandInfo& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

const Flag* find_flag(std::string_view name_or_letter) { return find_in_table(name_or_letter); }

bool belongs_to(const Flag& flag, std::string_view command) {
  if (flag.commands.empty()) return true;
  const auto names = words_of(flag.commands);
  return std::find(names.begin(), names.end(), command) != names.end();
}

bool is_planned_command(std::string_view name) {
  static constexpr std::string_view kPlanned[] = {
      "related", "clusters", "chunks", "doctor", "embed", "watch",     "background", "serve",
      "mcp",     "models",   "golden", "eval",   "tune",  "calibrate", "init",       "copy"};
  return std::find(std::begin(kPlanned), std::end(kPlanned), name) != std::end(kPlanned);
}

bool is_planned_flag(std::string_view name) { return name == "--variant"; }

std::vector<std::string> words_of(std::string_view separated_by_spaces) {
  std::vector<std::string> out;
  while (!separated_by_spaces.empty()) {
    const size_t end = separated_by_spaces.find(' ');
    if (end != 0) out.emplace_back(separated_by_spaces.substr(0, end));
    if (end == std::string_view::npos) break;
    separated_by_spaces.remove_prefix(end + 1);
  }
  return out;
}

std::string help_text(std::string_view name) {
  const CommandInfo* command = find_command(name);
  if (command == nullptr) {
    std::string out =
        "Ask a folder of Markdown notes. Every sentence of an answer cites its lines.\n\n";
    for (const CommandInfo& row : commands()) {
      out += fmt::format("  {:<34}  {}\n", usage(row), row.summary);
    }
    out += fmt::format("\nEvery command takes:\n{}", flag_lines("", true));
    out +=
        "\nExit codes: 0 found or answered, 1 nothing found or not in the notes, 2 error.\n"
        "lectern COMMAND --help lists a command's own flags.\n";
    return out;
  }
  std::string out = fmt::format("{}\n{}\n", usage(*command), command->summary);
  const std::string own = flag_lines(name, false);
  if (!own.empty()) out += "\n" + own;
  if (name == "search" || name == "ask") out += kFilterNotes;
  if (name == "search") out += kQueryNotes;
  out += fmt::format("\nEvery command takes:\n{}", flag_lines("", true));
  return out;
}

}  // namespace lectern::cli
