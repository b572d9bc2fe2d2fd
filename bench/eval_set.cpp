// Reads the JSON Lines of an evaluation set, writes its notes, indexes them. The field
// names are those of the sets' own README: id, title, text; id, question, gold, answers,
// evidence, answerable, vault.
#include "eval_set.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/settings.h"

namespace lectern::bench {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Document {
  std::string id, title, text;
};

Result<std::vector<json>> read_lines(const std::string& path) {
  std::ifstream in(path);
  if (!in) return fail(ErrorCode::kNotFound, "cannot be opened", path);
  std::vector<json> out;
  std::string line;
  size_t number = 0;
  while (std::getline(in, line)) {
    ++number;
    if (line.empty()) continue;
    json value = json::parse(line, nullptr, false);
    if (!value.is_object()) {
      return fail(ErrorCode::kConfig, "line " + std::to_string(number) + " is not a JSON object",
                  path);
    }
    out.push_back(std::move(value));
  }
  return out;
}

std::vector<std::string> strings_of(const json& value, const char* key) {
  std::vector<std::string> out;
  const auto found = value.find(key);
  if (found == value.end() || !found->is_array()) return out;
  for (const json& item : *found) {
    if (item.is_string()) out.push_back(item.get<std::string>());
    if (item.is_number()) out.push_back(item.dump());
  }
  return out;
}

std::string string_of(const json& value, const char* key) {
  const auto found = value.find(key);
  return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string file_safe(const std::string& id) {
  std::string out;
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_' || byte == '.';
    out += plain || byte >= 0x80 ? c : '_';
  }
  return out;
}

EvalQuestion question_of(const json& line) {
  EvalQuestion out;
  out.id = string_of(line, "id");
  out.text = string_of(line, "question");
  out.folder = string_of(line, "vault");
  out.answers = strings_of(line, "answers");
  out.evidence = strings_of(line, "evidence");
  out.gold = strings_of(line, "gold");
  const auto answerable = line.find("answerable");
  out.answerable = answerable != line.end() && answerable->is_boolean() &&
                   answerable->get<bool>() && !out.gold.empty();
  return out;
}

std::string folder_of(const std::string& id, const std::set<std::string>& folders) {
  std::string best;
  for (const std::string& folder : folders) {
    if (folder.size() > best.size() && id.rfind(folder + "-", 0) == 0) best = folder;
  }
  return best;
}

Status write_notes(const std::vector<Document>& documents, const std::set<std::string>& folders,
                   const std::string& vault, EvalSet& set) {
  for (const Document& document : documents) {
    const std::string folder = folder_of(document.id, folders);
    const std::string stem = (folder.empty() ? "" : folder + "/") + file_safe(document.id);
    std::string path = stem + ".md";
    for (int n = 2; set.id_of_path.contains(path); ++n) {
      path = stem + "~" + std::to_string(n) + ".md";
    }
    set.id_of_path[path] = document.id;
    std::error_code error;
    fs::create_directories(fs::path(vault + "/" + path).parent_path(), error);
    std::string title = document.title;
    for (char& c : title) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    std::ofstream out(vault + "/" + path, std::ios::binary);
    out << "# " << title << "\n\n" << document.text << "\n";
    if (!out.flush()) return fail(ErrorCode::kIo, "cannot be written", vault + "/" + path);
  }
  return {};
}

}  // namespace

Result<EvalSet> load_set(const std::string& data, const std::string& name,
                         const std::string& vault) {
  const size_t at = name.find('@');
  const std::string asked = data + "/" + name.substr(0, at);
  const std::string corpus = at == std::string::npos ? asked : data + "/" + name.substr(at + 1);

  EvalSet set;
  set.name = name;
  std::set<std::string> folders;
  TRY(const std::vector<json> questions, read_lines(asked + "/questions.jsonl"));
  for (const json& line : questions) {
    set.questions.push_back(question_of(line));
    if (!set.questions.back().folder.empty()) folders.insert(set.questions.back().folder);
  }
  std::vector<Document> documents;
  TRY(const std::vector<json> lines, read_lines(corpus + "/corpus.jsonl"));
  for (const json& line : lines) {
    documents.push_back({string_of(line, "id"), string_of(line, "title"), string_of(line, "text")});
  }
  TRY_STATUS(write_notes(documents, folders, vault, set));
  return set;
}

TemporaryFolder::TemporaryFolder(std::string path) : path_(std::move(path)) {}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  std::string pattern = (base / "lectern-bench-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) {
    return fail(ErrorCode::kIo, "no temporary folder can be made", pattern);
  }
  return TemporaryFolder(std::move(pattern));
}

Result<IndexedSet> index_set(const std::string& data, const std::string& name) {
  TRY(TemporaryFolder folder, TemporaryFolder::create());
  TRY(EvalSet set, load_set(data, name, folder.path() + "/vault"));
  Config config;
  config.vault = folder.path() + "/vault";
  config.vault_name = "vault";
  config.index = folder.path() + "/index/index.db";
  // Settings come from the environment as for the command line, so that one run is one row
  // of an ablation: LECTERN_KEYWORD_B=0.6 bench/quality ...
  for (const Setting& setting : settings()) {
    const char* value = std::getenv(std::string(setting.environment).c_str());
    if (value != nullptr && setting.name != "vault" && setting.name != "index") {
      TRY_STATUS(setting.set(config, value));
    }
  }
  TRY(Engine engine, Engine::open(config));
  TRY(const IndexReport report, engine.index({}));
  if (report.failed != 0) {
    return fail(ErrorCode::kInternal, std::to_string(report.failed) + " notes were not read", name);
  }
  return IndexedSet{std::move(folder), std::move(set), std::move(engine), report.seconds};
}

}  // namespace lectern::bench
