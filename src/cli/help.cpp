// lectern --help, --version
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"

namespace lectern::cli {

int run_help(const Invocation& invocation, Console& console) {
  const std::string text = help_text(invocation.help_topic);
  if (console.json()) {
    console.print_json(nlohmann::json{{"help", text}}.dump());
  } else {
    console.print(text);
  }
  return console.finish(kFound);
}

int run_version(Console& console) {
  if (console.json()) {
    console.print_json(nlohmann::json{{"version", version()}}.dump());
  } else {
    console.print(fmt::format("lectern {}\n", version()));
  }
  return console.finish(kFound);
}

}  // namespace lectern::cli
