// lectern config show. Its JSON is the one object that is not a reply of the engine.
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/views.h"

namespace lectern::cli {

namespace {

std::string to_json(const LoadedConfig& loaded) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const Setting& setting : settings()) {
    rows.push_back({{"name", setting.name},
                    {"value", shown_value(setting, loaded)},
                    {"origin", loaded.origin.at(std::string(setting.name))},
                    {"flag", setting.flag.empty() ? Json(nullptr) : Json(setting.flag)},
                    {"environment", setting.environment},
                    {"default", setting.get(Config{})},
                    {"meaning", setting.meaning}});
  }
  Json warnings = Json::array();
  for (const Warning& warning : loaded.warnings) {
    warnings.push_back({{"path", warning.path},
                        {"line", warning.line == 0 ? Json(nullptr) : Json(warning.line)},
                        {"message", warning.message}});
  }
  const Json out = {{"settings", std::move(rows)}, {"warnings", std::move(warnings)}};
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

int run_config_show(const Invocation& invocation, Console& console) {
  const auto loaded = load_settings(invocation);
  if (!loaded) return console.fail(loaded.error());
  if (console.json()) {
    console.print_json(to_json(*loaded));
  } else {
    console.warn(loaded->warnings);
    console.print(view_config(*loaded, console.style()));
  }
  return console.finish(kFound);
}

}  // namespace lectern::cli
