// The commands, one file each. Each prints its reply and returns the exit code.
#pragma once

#include "base/settings.h"
#include "cli/args.h"
#include "cli/console.h"
#include "lectern/engine.h"

namespace lectern::cli {

int run_help(const Invocation& invocation, Console& console);
int run_version(Console& console);
int run_index(const Invocation& invocation, Console& console);
int run_search(const Invocation& invocation, Console& console);
int run_ask(const Invocation& invocation, Console& console);
int run_get(const Invocation& invocation, Console& console);
int run_links(const Invocation& invocation, Console& console);
int run_status(const Invocation& invocation, Console& console);
int run_config_show(const Invocation& invocation, Console& console);
int run_completions(const Invocation& invocation, Console& console);

// The script of one of the shells: bash, zsh, fish.
std::string completion_script(std::string_view shell);

// What most commands start with: the configuration of this process, and the engine on it.
struct Session {
  Engine engine;
  std::vector<Warning> warnings;  // of the configuration
};
Result<LoadedConfig> load_settings(const Invocation& invocation);
Result<Session> open_session(const Invocation& invocation, const Console& console);

}  // namespace lectern::cli
