// Parsing of the command line; the only file that sees CLI11.
//
// CLI11 binds flags to values. Words are taken out first, because it would read a query
// such as "-draft budget" or a lone "-" as flags.
#include "cli/args.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>
#include <utility>

#include "base/settings.h"
#include "vault/parse.h"

namespace lectern::cli {

namespace {

tl::unexpected<Error> bad(std::string message, std::string where = {}, std::string hint = {}) {
  return fail(ErrorCode::kInvalidArgument, std::move(message), std::move(where), std::move(hint));
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names,
                         std::string otherwise) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? std::move(otherwise) : fmt::format("did you mean '{}'?", near);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Something a person may have meant as a flag: letters after one or two dashes. Other words
// that start with a dash ("-5", "-", "--- x", "-draft budget") are text.
bool looks_like_flag(std::string_view arg) {
  const std::string_view name = arg.substr(0, arg.find('='));
  const size_t dashes = name.starts_with("--") ? 2 : 1;
  if (!name.starts_with('-') || name.size() <= dashes) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return is_letter(name[dashes]) && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '_';
         });
}

std::vector<std::string> flag_names(std::string_view command) {
  std::vector<std::string> out;
  for (const Flag& flag : flags()) {
    if (command.empty() || belongs_to(flag, command)) out.emplace_back(flag.name);
  }
  return out;
}

tl::unexpected<Error> unknown_flag(std::string_view name, std::string_view command) {
  if (is_planned_flag(name)) {
    return fail(ErrorCode::kUnavailable, "is not built yet", std::string(name));
  }
  const std::string help =
      fmt::format("put -- before a query that starts with -, or see lectern {}",
                  command.empty() ? "--help" : fmt::format("{} --help", command));
  return bad("unknown flag", std::string(name), did_you_mean(name, flag_names(command), help));
}

struct Split {
  std::vector<std::string> flags;  // each followed by its value when it takes one
  std::vector<std::string> words;  // the first is the command
};

// Takes the flag at args[at], with its value, into `out`; `at` moves to its last word.
Status take_flag(const std::vector<std::string>& args, size_t& at, Split& out) {
  const std::string& arg = args[at];
  const size_t equals = arg.starts_with("--") ? arg.find('=') : std::string::npos;
  const Flag* flag = find_flag(arg.substr(0, equals));
  const bool attached = arg.size() > 2 && arg[1] != '-' && (arg[2] == '-' || is_digit(arg[2]));
  if (flag == nullptr && attached) {
    flag = find_flag(arg.substr(0, 2));  // -n5
    if (flag != nullptr && !flag->value.empty()) {
      out.flags.emplace_back(flag->name);
      out.flags.push_back(arg.substr(2));
      return {};
    }
    flag = nullptr;
  }
  if (flag == nullptr) {
    return unknown_flag(arg.substr(0, equals), out.words.empty() ? "" : out.words.front());
  }
  out.flags.emplace_back(flag->name);
  const std::string name = arg.substr(0, equals);
  if (flag->value.empty()) {
    if (equals != std::string::npos) return bad("takes no value", name);
    return {};
  }
  if (equals != std::string::npos) {
    out.flags.push_back(arg.substr(equals + 1));
  } else if (at + 1 < args.size() && find_flag(args[at + 1]) == nullptr && args[at + 1] != "--") {
    out.flags.push_back(args[++at]);
  } else {
    return bad(fmt::format("needs a value, {}", flag->value), name);
  }
  return {};
}

Result<Split> split(const std::vector<std::string>& args) {
  Split out;
  for (size_t at = 0; at < args.size(); ++at) {
    if (args[at] == "--") {
      out.words.insert(out.words.end(), args.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                       args.end());
      break;
    }
    if (looks_like_flag(args[at])) {
      TRY_STATUS(take_flag(args, at, out));
    } else {
      out.words.push_back(args[at]);
    }
  }
  return out;
}

// The flags that were given to one command.
class Given {
 public:
  static Result<Given> read(std::string_view command, std::vector<std::string> words) {
    Given out;
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    std::deque<std::pair<std::string, bool>> switches;  // stable addresses for CLI11
    for (const Flag& flag : flags()) {
      if (!belongs_to(flag, command)) continue;
      const std::string name(flag.name);
      if (flag.value.empty()) {
        app.add_flag(name, switches.emplace_back(name, false).second);
      } else {
        app.add_option(name, out.values_[name])
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
    }
    std::reverse(words.begin(), words.end());
    try {
      app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      return bad(error.what());
    }
    for (const auto& [name, on] : switches) {
      if (on) out.switches_.push_back(name);
    }
    if (const auto rest = app.remaining(); !rest.empty()) {
      const Flag* flag = find_flag(rest.front());
      std::string hint = fmt::format("see lectern {} --help", command);
      if (flag != nullptr) {
        hint = fmt::format("it belongs to {}", fmt::join(words_of(flag->commands), " and "));
      }
      return bad(fmt::format("is no flag of {}", command), rest.front(), hint);
    }
    return out;
  }

  bool has(std::string_view name) const {
    return std::find(switches_.begin(), switches_.end(), name) != switches_.end();
  }
  const std::vector<std::string>& all(const std::string& name) const {
    static const std::vector<std::string> kNone;
    const auto found = values_.find(name);
    return found == values_.end() ? kNone : found->second;
  }
  // The last one given.
  std::string last(const std::string& name, std::string otherwise = {}) const {
    const auto& values = all(name);
    return values.empty() ? std::move(otherwise) : values.back();
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> switches_;
};

Status check_choice(std::string_view what, const std::string& value, std::string_view choices) {
  const auto names = words_of(choices);
  if (std::find(names.begin(), names.end(), value) != names.end()) return {};
  const std::string list = fmt::format("use {}", fmt::join(names, ", "));
  return bad(fmt::format("cannot be '{}'", value.substr(0, 60)), std::string(what),
             did_you_mean(value, names, list));
}

// Values of flags that have a closed set or a setting behind them.
Status check_values(const Given& given) {
  for (const Flag& flag : flags()) {
    for (const std::string& value : given.all(std::string(flag.name))) {
      const std::string where(flag.letter.empty() ? flag.name : flag.letter);
      if (value.empty()) return bad(fmt::format("needs a value, {}", flag.value), where);
      if (!flag.choices.empty()) TRY_STATUS(check_choice(where, value, flag.choices));
      const Setting* setting = flag.setting.empty() ? nullptr : find_setting(flag.setting);
      if (setting == nullptr) continue;
      Config scratch;
      if (auto done = setting->set(scratch, value); !done) {
        Error error = std::move(done).error();
        error.where = where;
        return tl::unexpected(std::move(error));
      }
    }
  }
  return {};
}

void read_common(const Given& given, Invocation& out) {
  out.json = given.has("--json");
  out.verbose = given.has("--verbose");
  out.quiet = given.has("--quiet");
  out.no_progress = given.has("--no-progress");
  out.color = given.last("--color", "auto");
  for (const Flag& flag : flags()) {
    if (flag.setting.empty()) continue;
    const std::string name(flag.name);
    if (flag.value.empty() && given.has(name)) {
      out.settings[std::string(flag.setting)] = {"true"};
    } else if (!given.all(name).empty()) {
      out.settings[std::string(flag.setting)] = given.all(name);
    }
  }
}

// The narrowest of the dates given: the latest `after`, the earliest `before`.
Result<std::string> read_date(const Given& given, const std::string& flag, bool latest) {
  std::optional<std::pair<int32_t, std::string>> best;
  for (const std::string& text : given.all(flag)) {
    const DateStamp date = vault::parse_iso_date(text);
    if (!date.known()) {
      return bad(fmt::format("'{}' is not a date", text.substr(0, 60)), flag,
                 "write 2026, 2026-03 or 2026-03-14");
    }
    const bool better =
        !best || (latest ? date.day_first > best->first : date.day_first < best->first);
    if (better) best.emplace(date.day_first, text);
  }
  return best ? best->second : std::string();
}

Result<Filter> read_filter(const Given& given) {
  Filter out;
  out.folders = given.all("--folder");
  out.paths = given.all("--path");
  out.tags = given.all("--tag");
  out.collections = given.all("--collection");
  for (const std::string& pair : given.all("--where")) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return bad(fmt::format("'{}' is not key=value", pair.substr(0, 60)), "--where",
                 "write --where status=open");
    }
    out.where.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  TRY(out.after, read_date(given, "--after", true));
  TRY(out.before, read_date(given, "--before", false));
  return out;
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// The words of a query; blank ones ask for nothing.
Result<std::string> read_text(const std::vector<std::string>& words, std::string_view what) {
  std::string text = join(words);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return bad(fmt::format("the {} is empty", what), {},
               fmt::format("write it after the command, as in lectern {} \"opening hours\"",
                           what == "query" ? "search" : "ask"));
  }
  return text;
}

Status read_index(const Given& given, const std::vector<std::string>& words, Invocation& out) {
  if (words.size() > 1) {
    return bad("index takes one vault", words[1], "put quotes around a folder's name with spaces");
  }
  if (!words.empty()) {
    if (words[0].empty()) return bad("the vault is empty", "index");
    if (out.settings.contains("vault") && out.settings["vault"].back() != words[0]) {
      return bad("the vault is given twice", "--vault");
    }
    out.settings["vault"] = {words[0]};
  }
  out.index.full = given.has("--full");
  out.index.force_empty = given.has("--force-empty");
  out.index.no_embed = given.has("--no-embed");
  const std::string limit = given.last("--embed-limit");
  if (limit.empty()) return {};
  constexpr uint64_t kMost = 1'000'000'000;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), number);
  if (error != std::errc() || end != limit.data() + limit.size() || number == 0 || number > kMost) {
    return bad(
        fmt::format("must be a whole number from 1 to {}, not '{}'", kMost, limit.substr(0, 60)),
        "--embed-limit");
  }
  if (out.index.no_embed) return bad("contradicts --no-embed", "--embed-limit");
  out.index.embed_limit = number;
  return {};
}

Status read_search(const Given& given, const std::vector<std::string>& words, Invocation& out) {
  TRY(out.search.query, read_text(words, "query"));
  TRY(out.search.filter, read_filter(given));
  out.search.mode = given.last("--mode", "hybrid");
  out.search.explain = given.has("--explain");
  return {};
}

Status read_ask(const Given& given, const std::vector<std::string>& words, Invocation& out) {
  TRY(out.ask.question, read_text(words, "question"));
  TRY(out.ask.filter, read_filter(given));
  out.ask.generator = given.last("--generator", "extractive");
  out.ask.explain = given.has("--explain");
  return {};
}

// The digits at the end of `text`, taken off it; nullopt when there are none or too many.
std::optional<uint32_t> take_number(std::string& text) {
  size_t start = text.size();
  while (start > 0 && is_digit(text[start - 1])) --start;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), number);
  if (start == text.size() || error != std::errc()) return std::nullopt;
  text.resize(start);
  return number;
}

// Splits PATH[:LINE[-LINE]]; a text of another shape is a path as it stands.
Status read_place(const std::string& operand, GetRequest& out) {
  out.path = operand;
  std::string rest = operand;
  const auto last = take_number(rest);
  if (!last) return {};
  std::optional<uint32_t> first = last;
  if (rest.ends_with('-')) {
    rest.pop_back();
    first = take_number(rest);
  }
  if (!first || !rest.ends_with(':') || rest.size() == 1) return {};
  if (*first == 0 || *last < *first) {
    return bad("lines count from 1 and must not run backwards", operand,
               "write PATH:LINE or PATH:FIRST-LAST");
  }
  rest.pop_back();
  out.path = rest;
  out.line_first = *first;
  out.line_last = *last;
  return {};
}

Status read_get(const Given& given, const std::vector<std::string>& words, Invocation& out) {
  out.get_operand = join(words);
  out.get.block_id = given.last("--id");
  if (out.get_operand.empty() && out.get.block_id.empty()) {
    return bad("no note was named", "get", "write lectern get PATH[:LINE[-LINE]] or --id BLOCK_ID");
  }
  TRY_STATUS(read_place(out.get_operand, out.get));
  if (out.get.line_first != 0 && !out.get.block_id.empty()) {
    return bad("give lines or --id, not both", "get");
  }
  return {};
}

Status read_choice(const CommandInfo& command, const std::vector<std::string>& words,
                   std::string& out) {
  if (words.size() != 1) {
    return bad(fmt::format("needs one word: {}", fmt::join(words_of(command.choices), ", ")),
               std::string(command.name));
  }
  out = words[0];
  return check_choice(command.name, out, command.choices);
}

Status read_operands(const CommandInfo& command, const Given& given,
                     const std::vector<std::string>& words, Invocation& out) {
  switch (command.command) {
    case Command::kIndex:
      return read_index(given, words, out);
    case Command::kSearch:
      return read_search(given, words, out);
    case Command::kAsk:
      return read_ask(given, words, out);
    case Command::kGet:
      return read_get(given, words, out);
    case Command::kLinks:
      out.note = join(words);
      if (out.note.empty()) return bad("no note was named", "links", "write lectern links NOTE");
      return {};
    case Command::kStatus:
      if (!words.empty()) return bad("status takes no words", words[0]);
      return {};
    case Command::kConfigShow:
    case Command::kCompletions:
      return read_choice(command, words, out.shell);
    case Command::kHelp:
    case Command::kVersion:
      return {};
  }
  return {};
}

tl::unexpected<Error> unknown_command(const std::string& name) {
  if (is_planned_command(name)) {
    return fail(ErrorCode::kUnavailable, fmt::format("the command '{}' is not built yet", name), {},
                "lectern --help lists what is");
  }
  std::vector<std::string> names{"help"};
  for (const CommandInfo& command : commands()) names.emplace_back(command.name);
  return bad(fmt::format("there is no command '{}'", name.substr(0, 60)), {},
             did_you_mean(name, names, "lectern --help lists the commands"));
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Result<Invocation> parse_args(const std::vector<std::string>& args) {
  TRY(Split parts, split(args));
  Invocation out;
  if (!parts.words.empty() && parts.words.front() == "help") {
    parts.words.erase(parts.words.begin());
    parts.flags.emplace_back("--help");
  }
  if (contains(parts.flags, "--version")) {
    out.command = Command::kVersion;
    out.json = wants_json(args);
    return out;
  }
  if (parts.words.empty() && !contains(parts.flags, "--help")) {
    return bad("no command was given", {}, "lectern --help lists them");
  }
  const std::string name = parts.words.empty() ? "" : parts.words.front();
  const CommandInfo* command = find_command(name);
  if (!name.empty() && command == nullptr) return unknown_command(name);
  if (contains(parts.flags, "--help")) {
    out.help_topic = name;
    out.json = wants_json(args);
    return out;
  }
  out.command = command->command;
  TRY(const Given given, Given::read(name, std::move(parts.flags)));
  TRY_STATUS(check_values(given));
  read_common(given, out);
  parts.words.erase(parts.words.begin());
  TRY_STATUS(read_operands(*command, given, parts.words, out));
  return out;
}

bool wants_json(const std::vector<std::string>& args) {
  const auto end = std::find(args.begin(), args.end(), "--");
  return std::find(args.begin(), end, "--json") != end;
}

}  // namespace lectern::cli
