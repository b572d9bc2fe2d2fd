// lectern completions: a script for each shell, made from the tables in flags.cpp.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"

namespace lectern::cli {

namespace {

// Text between single quotes, as all three shells read it; fish alone also takes \ there.
std::string shell_quoted(std::string_view text, bool fish = false) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += fish ? "\\'" : "'\\''";
    } else if (c == '\\' && fish) {
      out += "\\\\";
    } else {
      out.push_back(c);
    }
  }
  return out + "'";
}

std::string command_names() {
  std::vector<std::string_view> names;
  for (const CommandInfo& command : commands()) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string flag_names(std::string_view command) {
  std::vector<std::string_view> names;
  for (const Flag& flag : flags()) {
    if (!belongs_to(flag, command)) continue;
    if (!flag.letter.empty()) names.push_back(flag.letter);
    names.push_back(flag.name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

// "--limit|-n", as a pattern of bash's case.
std::string bash_pattern(const Flag& flag) {
  return flag.letter.empty() ? std::string(flag.name)
                             : fmt::format("{}|{}", flag.name, flag.letter);
}

std::string bash_script() {
  std::string out =
      "# bash completion for lectern:  source <(lectern completions bash)\n"
      "_lectern() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
      "  case $previous in\n";
  std::string valued;
  for (const Flag& flag : flags()) {
    if (flag.value.empty()) continue;
    if (!valued.empty()) valued += "|";
    valued += bash_pattern(flag);
    const std::string reply =
        flag.is_file ? "compgen -f -- \"$word\""
                     : fmt::format("compgen -W {} -- \"$word\"", shell_quoted(flag.choices));
    out +=
        fmt::format("    {}) mapfile -t COMPREPLY < <({}); return ;;\n", bash_pattern(flag), reply);
  }
  out += fmt::format(
      "  esac\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${{COMP_WORDS[i]}} in\n"
      "      {}) ((i++)) ;;\n"
      "      -*) ;;\n"
      "      *) command=${{COMP_WORDS[i]}}; break ;;\n"
      "    esac\n"
      "  done\n"
      "  local candidates={}\n"
      "  case $command in\n",
      valued, shell_quoted(command_names() + " " + flag_names("")));
  for (const CommandInfo& command : commands()) {
    out += fmt::format("    {}) candidates={} ;;\n", command.name,
                       shell_quoted(flag_names(command.name) + " " + std::string(command.choices)));
  }
  out +=
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$candidates\" -- \"$word\")\n"
      "}\n"
      "complete -o default -F _lectern lectern\n";
  return out;
}

// One argument of zsh's _arguments: '*--folder[meaning]:FOLDER:action'.
std::string zsh_argument(const Flag& flag, std::string_view name) {
  std::string meaning;
  for (const char c : flag.meaning) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') meaning.push_back('\\');
    meaning.push_back(c);
  }
  std::string out = fmt::format("*{}[{}]", name, meaning);
  if (!flag.value.empty()) {
    const std::string action = flag.is_file            ? "_files"
                               : !flag.choices.empty() ? fmt::format("({})", flag.choices)
                                                       : "";
    out += fmt::format(":{}:{}", flag.value, action);
  }
  return shell_quoted(out);
}

std::string zsh_arguments(std::string_view command, std::string_view indent) {
  std::string out;
  for (const Flag& flag : flags()) {
    if (!belongs_to(flag, command)) continue;
    for (const std::string_view name : {flag.letter, flag.name}) {
      if (!name.empty()) out += fmt::format(" \\\n{}{}", indent, zsh_argument(flag, name));
    }
  }
  return out;
}

std::string zsh_script() {
  std::string out =
      "#compdef lectern\n"
      "# zsh completion for lectern:  lectern completions zsh > \"${fpath[1]}/_lectern\"\n"
      "_lectern() {\n"
      "  local state line\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandInfo& command : commands()) {
    out +=
        fmt::format("    {}\n", shell_quoted(fmt::format("{}:{}", command.name, command.summary)));
  }
  out += fmt::format(
      "  )\n"
      "  _arguments -C{} \\\n"
      "    '1: :->command' '*:: :->rest'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    rest)\n"
      "      case $line[1] in\n",
      zsh_arguments("", "    "));
  for (const CommandInfo& command : commands()) {
    const std::string operands =
        command.choices.empty() ? "*: :_files" : fmt::format("1: :({})", command.choices);
    out += fmt::format("        {}) _arguments{} \\\n          {} ;;\n", command.name,
                       zsh_arguments(command.name, "          "), shell_quoted(operands));
  }
  out +=
      "      esac ;;\n"
      "  esac\n"
      "}\n"
      "if [[ $funcstack[1] == _lectern ]]; then _lectern \"$@\"; else compdef _lectern lectern; "
      "fi\n";
  return out;
}

std::string fish_script() {
  std::string out =
      "# fish completion for lectern:  lectern completions fish | source\n"
      "complete -c lectern -f\n";
  for (const CommandInfo& command : commands()) {
    out += fmt::format("complete -c lectern -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       shell_quoted(command.summary, true));
    if (command.choices.empty()) continue;
    out += fmt::format("complete -c lectern -n '__fish_seen_subcommand_from {}' -a {}\n",
                       command.name, shell_quoted(command.choices, true));
  }
  for (const Flag& flag : flags()) {
    out += "complete -c lectern";
    if (!flag.commands.empty()) {
      out += fmt::format(" -n '__fish_seen_subcommand_from {}'", flag.commands);
    }
    out += fmt::format(" -l {}", flag.name.substr(2));
    if (!flag.letter.empty()) out += fmt::format(" -s {}", flag.letter.substr(1));
    if (!flag.value.empty()) out += flag.is_file ? " -r -F" : " -x";
    if (!flag.choices.empty()) out += fmt::format(" -a {}", shell_quoted(flag.choices, true));
    out += fmt::format(" -d {}\n", shell_quoted(flag.meaning, true));
  }
  return out + "complete -c lectern -n '__fish_seen_subcommand_from index get links' -F\n";
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  return shell == "zsh" ? zsh_script() : fish_script();
}

int run_completions(const Invocation& invocation, Console& console) {
  const std::string script = completion_script(invocation.shell);
  if (console.json()) {
    console.print_json(
        nlohmann::ordered_json{{"shell", invocation.shell}, {"script", script}}.dump());
  } else {
    console.print(script);
  }
  return console.finish(kFound);
}

}  // namespace lectern::cli
