// Opens the engine on the settings of this process.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "cli/commands.h"

namespace lectern::cli {

Result<LoadedConfig> load_settings(const Invocation& invocation) {
  SettingsInput input;
  input.flags = invocation.settings;
  input.environment = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  std::error_code error;
  input.working_folder = std::filesystem::current_path(error).string();
  if (error) input.working_folder = "/";  // the folder was removed; nothing is found above it
  return load_config(input);
}

Result<Session> open_session(const Invocation& invocation, const Console& console) {
  TRY(LoadedConfig loaded, load_settings(invocation));
  if (loaded.config.vault.empty()) {
    return fail(ErrorCode::kNoVault, "no vault was given, and no folder above has .obsidian", {},
                "name the folder of notes with --vault or LECTERN_VAULT");
  }
  if (invocation.verbose) {
    const Config& config = loaded.config;
    console.note(fmt::format("vault {} ({})", config.vault, loaded.origin["vault"]));
    console.note(fmt::format("index {} ({})", config.index, loaded.origin["index"]));
    console.note(
        fmt::format("config {}", config.config_file.empty() ? "none" : config.config_file));
  }
  TRY(Engine engine, Engine::open(std::move(loaded.config)));
  return Session{std::move(engine), std::move(loaded.warnings)};
}

}  // namespace lectern::cli
