// Settings: precedence between the sources, every kind of bad value, hostile files, and
// that docs/configuration.md tells the truth about the registry.
#include "base/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace lectern {
namespace {

namespace fs = std::filesystem;

class SettingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "lectern-settings-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern).string();
    fs::create_directories(root_ + "/home");
    fs::create_directories(root_ + "/Notes");
    environment_["HOME"] = root_ + "/home";
    input_.working_folder = root_;
    input_.environment = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = environment_.find(std::string(name));
      if (found == environment_.end()) return std::nullopt;
      return found->second;
    };
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, std::string_view text) {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path, std::ios::binary) << text;
  }
  void write_config(std::string_view text) { write("home/.config/lectern/config.yaml", text); }
  std::string config_path() const { return root_ + "/home/.config/lectern/config.yaml"; }

  Result<LoadedConfig> load() { return load_config(input_); }
  LoadedConfig must_load() {
    auto loaded = load();
    EXPECT_TRUE(loaded) << (loaded ? "" : to_line(loaded.error()));
    return loaded ? *std::move(loaded) : LoadedConfig{};
  }
  Error must_fail() {
    auto loaded = load();
    EXPECT_FALSE(loaded);
    return loaded ? Error{} : loaded.error();
  }
  Error config_error(std::string_view yaml) {
    write_config(yaml);
    return must_fail();
  }

  std::string root_;
  std::map<std::string, std::string> environment_;
  SettingsInput input_;
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// ---- precedence --------------------------------------------------------------

TEST_F(SettingsTest, FlagThenEnvironmentThenFileThenDefault) {
  EXPECT_EQ(must_load().origin["keyword.k1"], "default");
  EXPECT_DOUBLE_EQ(must_load().config.keyword.k1, Config{}.keyword.k1);

  write_config("keyword:\n  k1: 1.1\nsearch: {limit: 7}\n");
  EXPECT_DOUBLE_EQ(must_load().config.keyword.k1, 1.1);
  EXPECT_EQ(must_load().config.search.limit, 7U);
  EXPECT_EQ(must_load().origin["keyword.k1"], "config-file");
  EXPECT_EQ(must_load().config.config_file, config_path());

  write("my.env", "LECTERN_KEYWORD_K1=1.2\n");
  environment_["LECTERN_ENV_FILE"] = root_ + "/my.env";
  EXPECT_DOUBLE_EQ(must_load().config.keyword.k1, 1.2);
  EXPECT_EQ(must_load().origin["keyword.k1"], "env-file");

  environment_["LECTERN_KEYWORD_K1"] = "1.3";
  EXPECT_DOUBLE_EQ(must_load().config.keyword.k1, 1.3);
  EXPECT_EQ(must_load().origin["keyword.k1"], "environment");

  input_.flags["keyword.k1"] = {"1.4"};
  EXPECT_DOUBLE_EQ(must_load().config.keyword.k1, 1.4);
  EXPECT_EQ(must_load().origin["keyword.k1"], "flag");
  EXPECT_EQ(must_load().origin["search.limit"], "config-file");
}

TEST_F(SettingsTest, AnEmptyVariableCountsAsUnset) {
  environment_["LECTERN_KEYWORD_K1"] = "";
  EXPECT_EQ(must_load().origin["keyword.k1"], "default");
}

TEST_F(SettingsTest, EnvFileIsReadOnlyWhenNamed) {
  write(".env", "LECTERN_SEARCH_LIMIT=3\n");
  EXPECT_EQ(must_load().config.search.limit, 10U);
  input_.flags["env_file"] = {".env"};
  EXPECT_EQ(must_load().config.search.limit, 3U);
  EXPECT_EQ(must_load().env_file, root_ + "/.env");
}

TEST_F(SettingsTest, XdgConfigHomeWinsAndARelativeOneIsIgnored) {
  write_config("search: {limit: 7}\n");
  write("xdg/lectern/config.yaml", "search: {limit: 8}\n");
  environment_["XDG_CONFIG_HOME"] = root_ + "/xdg";
  EXPECT_EQ(must_load().config.search.limit, 8U);
  environment_["XDG_CONFIG_HOME"] = "xdg";
  EXPECT_EQ(must_load().config.search.limit, 7U);
}

TEST_F(SettingsTest, ANamedConfigFileReplacesTheUsual) {
  write_config("search: {limit: 7}\n");
  write("other.yaml", "search: {limit: 9}\n");
  environment_["LECTERN_CONFIG"] = "other.yaml";
  EXPECT_EQ(must_load().config.search.limit, 9U);
  input_.flags["config"] = {"missing.yaml"};
  const Error error = must_fail();
  EXPECT_EQ(error.code, ErrorCode::kConfig);
  EXPECT_EQ(error.where, root_ + "/missing.yaml");
  EXPECT_TRUE(contains(error.hint, "--config"));
}

TEST_F(SettingsTest, ListsFromEverySource) {
  write_config("exclude:\n  - Templates\n  - '*.canvas'\n");
  EXPECT_EQ(must_load().config.exclude, (std::vector<std::string>{"Templates", "*.canvas"}));
  environment_["LECTERN_EXCLUDE"] = "a, b/**";
  EXPECT_EQ(must_load().config.exclude, (std::vector<std::string>{"a", "b/**"}));
  environment_["LECTERN_EXCLUDE"] = "one, two\nthree";
  EXPECT_EQ(must_load().config.exclude, (std::vector<std::string>{"one, two", "three"}));
  input_.flags["exclude"] = {"x,y", "z"};
  EXPECT_EQ(must_load().config.exclude, (std::vector<std::string>{"x,y", "z"}));
}

TEST_F(SettingsTest, CollectionsFromFileAndEnvironment) {
  write_config("collections:\n  work: [Ops, Projects/A]\n  diary: Daily\n");
  const auto from_file = must_load().config.collections;
  EXPECT_EQ(from_file.at("work"), (std::vector<std::string>{"Ops", "Projects/A"}));
  EXPECT_EQ(from_file.at("diary"), (std::vector<std::string>{"Daily"}));
  environment_["LECTERN_COLLECTIONS"] = "work=Ops,work=Lab";
  const auto from_environment = must_load().config.collections;
  EXPECT_EQ(from_environment.size(), 1U);
  EXPECT_EQ(from_environment.at("work"), (std::vector<std::string>{"Ops", "Lab"}));
  environment_["LECTERN_COLLECTIONS"] = "Ops";
  EXPECT_EQ(must_fail().where, "LECTERN_COLLECTIONS");
}

TEST_F(SettingsTest, EmptyAndCommentOnlyFilesAreFine) {
  for (const char* text : {"", "# nothing\n", "---\n", "\n\n"}) {
    write_config(text);
    EXPECT_EQ(must_load().config.search.limit, 10U) << text;
  }
}

// ---- bad values ----------------------------------------------------------------

TEST_F(SettingsTest, EverySettingRefusesWhatIsOutOfItsBounds) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> kBad = {
      {"LECTERN_OFFLINE", {"maybe", "2"}},
      {"LECTERN_INCLUDE_PRIVATE", {"x"}},
      {"LECTERN_CHUNK_MIN_TOKENS", {"0", "-1", "1.5", "abc", "99999999999999999999", "64 x", "+5"}},
      {"LECTERN_CHUNK_TARGET_TOKENS", {"7", "8193"}},
      {"LECTERN_CHUNK_MAX_TOKENS", {"15", "8193"}},
      {"LECTERN_KEYWORD_K1", {"-0.1", "10.5", "nan", "inf", "1,2", "0x1p3 "}},
      {"LECTERN_KEYWORD_B", {"-0.1", "1.01"}},
      {"LECTERN_KEYWORD_TITLE_WEIGHT", {"-1", "101"}},
      {"LECTERN_KEYWORD_HEADING_WEIGHT", {"-1", "101"}},
      {"LECTERN_KEYWORD_PROPERTY_WEIGHT", {"-1", "101"}},
      {"LECTERN_FUSION_RRF_K", {"-1", "10001"}},
      {"LECTERN_FUSION_LANE_DEPTH", {"0", "1001"}},
      {"LECTERN_FUSION_TITLE_WEIGHT", {"-1", "101"}},
      {"LECTERN_FUSION_KEYWORD_WEIGHT", {"-1", "101"}},
      {"LECTERN_SEARCH_LIMIT", {"0", "1001"}},
      {"LECTERN_SEARCH_MAX_PER_NOTE", {"0", "1001"}},
      {"LECTERN_SEARCH_WINDOW", {"perhaps"}},
      {"LECTERN_GATE_KIND", {"covrage", "COVERAGE"}},
      {"LECTERN_GATE_THRESHOLD", {"-0.01", "1.01"}},
      {"LECTERN_ANSWER_CONTEXT_CHARS", {"199", "1000001"}},
      {"LECTERN_ANSWER_MAX_SENTENCES", {"0", "51"}},
      {"LECTERN_RETRY_DROP_FILTERS", {"x"}},
      {"LECTERN_LIMITS_NOTE_BYTES", {"1023", "1073741825"}},
      {"LECTERN_LIMITS_LOCK_WAIT_MS", {"-1", "3600001"}},
  };
  for (const auto& [name, values] : kBad) {
    for (const std::string& value : values) {
      environment_[name] = value;
      const auto loaded = load();
      ASSERT_FALSE(loaded) << name << "=" << value;
      EXPECT_EQ(loaded.error().code, ErrorCode::kConfig) << name << "=" << value;
      EXPECT_EQ(loaded.error().where, name);
      EXPECT_TRUE(contains(loaded.error().message, "must be")) << to_line(loaded.error());
    }
    environment_.erase(name);
  }
}

TEST_F(SettingsTest, BoundsThemselvesAreAllowed) {
  environment_["LECTERN_GATE_THRESHOLD"] = "1";
  environment_["LECTERN_KEYWORD_B"] = "0";
  environment_["LECTERN_SEARCH_LIMIT"] = "1000";
  environment_["LECTERN_LIMITS_NOTE_BYTES"] = "1073741824";
  const Config config = must_load().config;
  EXPECT_DOUBLE_EQ(config.gate.threshold, 1);
  EXPECT_DOUBLE_EQ(config.keyword.b, 0);
  EXPECT_EQ(config.search.limit, 1000U);
  EXPECT_EQ(config.limits.note_bytes, 1073741824U);
}

TEST_F(SettingsTest, ChunkSizesMustNotFall) {
  environment_["LECTERN_CHUNK_MIN_TOKENS"] = "300";
  const Error error = must_fail();
  EXPECT_EQ(error.code, ErrorCode::kConfig);
  EXPECT_TRUE(contains(error.message, "min_tokens 300"));
}

TEST_F(SettingsTest, UnknownKeysNameFileLineAndTheNearest) {
  const Error error = config_error("search:\n  limit: 5\nkeyword:\n  kl: 1\n");
  EXPECT_EQ(error.code, ErrorCode::kConfig);
  EXPECT_EQ(error.where, config_path() + ":4");
  EXPECT_TRUE(contains(error.message, "'keyword.kl'"));
  EXPECT_TRUE(contains(error.hint, "'keyword.k1'"));
}

TEST_F(SettingsTest, BadValuesInAFileNameFileAndLine) {
  const Error error = config_error("\nkeyword:\n  b: 7\n");
  EXPECT_EQ(error.where, config_path() + ":3: keyword.b");
  EXPECT_TRUE(contains(error.message, "from 0 to 1, not '7'"));
}

TEST_F(SettingsTest, FilesOfTheWrongShape) {
  EXPECT_TRUE(contains(config_error("- a\n- b\n").message, "name: value"));
  EXPECT_TRUE(contains(config_error("just words\n").message, "name: value"));
  EXPECT_TRUE(contains(config_error("vault: [/a, /b]\n").message, "one value"));
  EXPECT_TRUE(contains(config_error("search:\n  limit:\n").message, "no value"));
  EXPECT_TRUE(contains(config_error("search:\n  limit: {x: 1}\n").message, "no section"));
  EXPECT_TRUE(contains(config_error("exclude: [[a]]\n").message, "plain values"));
  EXPECT_TRUE(contains(config_error("exclude: a\nexclude: b\n").message, "twice"));
  EXPECT_TRUE(contains(config_error("config: /x\n").message, "cannot be set in a file"));
  EXPECT_TRUE(contains(config_error("vault: notes\n").message, "absolute"));
  EXPECT_EQ(config_error("a: [1, 2\nb: }\n").code, ErrorCode::kConfig);
  EXPECT_EQ(config_error(std::string_view("vault: \"/a\\0b\"\n")).code, ErrorCode::kConfig);
}

TEST_F(SettingsTest, HostileYamlIsRefused) {
  const Error alias = config_error("a: &a [x, x]\nexclude: [*a, *a]\n");
  EXPECT_TRUE(contains(alias.message, "alias"));
  EXPECT_EQ(alias.where, config_path() + ":2");
  EXPECT_TRUE(contains(config_error("a: " + std::string(9, '[')).message, "deep"));
  EXPECT_EQ(config_error("a: " + std::string(60000, '[')).code, ErrorCode::kConfig);
  EXPECT_EQ(config_error(std::string(60000, '{')).code, ErrorCode::kConfig);
  std::string dashes;
  for (int i = 0; i < 30000; ++i) dashes += "- ";
  EXPECT_EQ(config_error(dashes).code, ErrorCode::kConfig);
  EXPECT_TRUE(contains(config_error(std::string(70000, '#')).message, "longer than 64 KiB"));
}

TEST_F(SettingsTest, ArbitraryBytesNeverCrash) {
  uint32_t state = 12345;
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (int i = 0; i < 64; ++i) {
      state = state * 1664525U + 1013904223U;
      static constexpr std::string_view kMix = "a: -[]{}'\"\n&*#!|>%@`\\\t?,0\xff\x00";
      bytes.push_back(kMix[(state >> 16) % kMix.size()]);
    }
    write_config(bytes);
    const auto loaded = load();
    if (!loaded) {
      EXPECT_EQ(loaded.error().code, ErrorCode::kConfig) << bytes;
    }
  }
  // yaml-cpp 0.7 gives empty documents without end for this one.
  write_config(",|>{\ta'&#0>[> `\xff{{[[0\t'&\xff!'*[%?%[\\, %!&\"'\t'&'@!\n,%#`,%[{\t\t&&]]\\}[");
  EXPECT_EQ(must_fail().code, ErrorCode::kConfig);
}

// ---- .env ------------------------------------------------------------------------

TEST_F(SettingsTest, EnvFileQuotesCommentsAndForeignKeys) {
  write("e",
        "\xEF\xBB\xBF# comment\n\n"
        "export LECTERN_SEARCH_LIMIT = 4 # four\r\n"
        "LECTERN_INCLUDE=\"a \\\"b\\\"\\nc\" # list\n"
        "LECTERN_EXCLUDE='x # y'\n"
        "OPENAI_API_KEY=sk-secret\nEMPTY=\n");
  input_.flags["env_file"] = {"e"};
  const LoadedConfig loaded = must_load();
  EXPECT_EQ(loaded.config.search.limit, 4U);
  EXPECT_EQ(loaded.config.include, (std::vector<std::string>{"a \"b\"", "c"}));
  EXPECT_EQ(loaded.config.exclude, (std::vector<std::string>{"x # y"}));
  EXPECT_TRUE(loaded.warnings.empty());
}

TEST_F(SettingsTest, EnvFileErrorsNameTheLineButNotItsText) {
  input_.flags["env_file"] = {"e"};
  const std::vector<std::pair<std::string, std::string>> kBad = {
      {"A=1\nsecretvalue\n", "KEY=VALUE"},
      {"A=1\n1B=secretvalue\n", "KEY=VALUE"},
      {"A=1\nB C=secretvalue\n", "KEY=VALUE"},
      {"A=1\nB=\"secretvalue\n", "not closed"},
      {"A=1\nB='secretvalue' x\n", "after the closing quote"},
  };
  for (const auto& [text, message] : kBad) {
    write("e", text);
    const Error error = must_fail();
    EXPECT_EQ(error.code, ErrorCode::kConfig);
    EXPECT_EQ(error.where, root_ + "/e:2") << text;
    EXPECT_TRUE(contains(error.message, message)) << error.message;
    EXPECT_FALSE(contains(to_line(error), "secretvalue"));
  }
}

TEST_F(SettingsTest, EnvFileValueErrorsNameFileAndLine) {
  write("e", "\nLECTERN_SEARCH_LIMIT=none\n");
  input_.flags["env_file"] = {"e"};
  EXPECT_EQ(must_fail().where, root_ + "/e:2: LECTERN_SEARCH_LIMIT");
}

TEST_F(SettingsTest, UnknownLecternKeysInAnEnvFileWarn) {
  write("e", "LECTERN_SERCH_LIMIT=3\nLECTERN_TOKEN=abc\n");
  input_.flags["env_file"] = {"e"};
  const LoadedConfig loaded = must_load();
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_EQ(loaded.warnings[0].line, 1U);
  EXPECT_TRUE(contains(loaded.warnings[0].message, "LECTERN_SEARCH_LIMIT"));
}

// ---- vault and index ----------------------------------------------------------------

TEST_F(SettingsTest, VaultIsTheNearestAncestorWithObsidian) {
  fs::create_directories(root_ + "/Notes/.obsidian");
  fs::create_directories(root_ + "/Notes/Inner/.obsidian");
  fs::create_directories(root_ + "/Notes/Inner/a/b");
  input_.working_folder = root_ + "/Notes/Inner/a/b";
  LoadedConfig loaded = must_load();
  EXPECT_EQ(loaded.config.vault, root_ + "/Notes/Inner");
  EXPECT_EQ(loaded.config.vault_name, "Inner");
  EXPECT_EQ(loaded.origin["vault"], "found");
  environment_["LECTERN_VAULT"] = root_ + "/Notes/";
  loaded = must_load();
  EXPECT_EQ(loaded.config.vault, root_ + "/Notes");
  EXPECT_EQ(loaded.origin["vault"], "environment");
  input_.flags["vault"] = {"../.."};
  EXPECT_EQ(must_load().config.vault, root_ + "/Notes/Inner");
  EXPECT_EQ(must_load().origin["vault"], "flag");
}

TEST_F(SettingsTest, NoVaultLeavesVaultAndIndexEmpty) {
  const LoadedConfig loaded = must_load();
  EXPECT_EQ(loaded.config.vault, "");
  EXPECT_EQ(loaded.config.index, "");
}

TEST_F(SettingsTest, ASymbolicLinkAndItsTargetAreOneVault) {
  fs::create_directory_symlink(root_ + "/Notes", root_ + "/link");
  input_.flags["vault"] = {"Notes"};
  const std::string direct = must_load().config.index;
  input_.flags["vault"] = {"link"};
  EXPECT_EQ(must_load().config.index, direct);
  EXPECT_EQ(must_load().config.vault_name, "Notes");
}

TEST_F(SettingsTest, TheDefaultIndexIsNamedAfterTheVault) {
  input_.flags["vault"] = {"Notes"};
  const std::string index = must_load().config.index;
  const std::string start = root_ + "/home/.local/share/lectern/Notes-";
  ASSERT_TRUE(index.starts_with(start)) << index;
  const std::string rest = index.substr(start.size());
  ASSERT_EQ(rest.size(), 8 + std::string("/index.db").size()) << rest;
  EXPECT_EQ(rest.substr(0, 8).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_TRUE(rest.ends_with("/index.db"));

  environment_["XDG_DATA_HOME"] = root_ + "/data";
  EXPECT_TRUE(must_load().config.index.starts_with(root_ + "/data/lectern/Notes-"));

  fs::create_directories(root_ + "/other/Notes");
  input_.flags["vault"] = {"other/Notes"};
  EXPECT_NE(must_load().config.index.substr((root_ + "/data/lectern/").size()), rest);
  EXPECT_FALSE(fs::exists(root_ + "/data"));  // nothing is created by loading
}

TEST_F(SettingsTest, NoHomeNeedsAnIndex) {
  environment_.erase("HOME");
  input_.flags["vault"] = {"Notes"};
  const Error error = must_fail();
  EXPECT_EQ(error.code, ErrorCode::kConfig);
  EXPECT_TRUE(contains(error.hint, "--index"));
  input_.flags["index"] = {"my.db"};
  EXPECT_EQ(must_load().config.index, root_ + "/my.db");
}

TEST_F(SettingsTest, ALongVaultNameStillGivesAValidIndexName) {
  std::string name;
  for (int i = 0; i < 85; ++i) name += "\u6771";  // 255 bytes, the most a name may have
  fs::create_directories(root_ + "/" + name);
  input_.flags["vault"] = {name};
  const fs::path folder = fs::path(must_load().config.index).parent_path();
  EXPECT_LE(folder.filename().string().size(), 255U);
  EXPECT_TRUE(folder.filename().string().starts_with("\u6771"));
}

TEST_F(SettingsTest, TheIndexIsNeverInsideTheVault) {
  input_.flags["vault"] = {"Notes"};
  fs::create_directory_symlink(root_ + "/Notes", root_ + "/link");
  for (const char* index : {"Notes/index.db", "Notes/.lectern/i.db", "link/i.db",
                            "Notes/../Notes/i.db", "home/../Notes/x/../i.db"}) {
    input_.flags["index"] = {index};
    const Error error = must_fail();
    EXPECT_EQ(error.code, ErrorCode::kInvalidArgument) << index;
    EXPECT_TRUE(contains(error.message, "inside the vault")) << index;
  }
  input_.flags["index"] = {"Notes-2/index.db"};
  EXPECT_EQ(must_load().config.index, root_ + "/Notes-2/index.db");
  input_.flags["index"] = {"home"};
  EXPECT_TRUE(contains(must_fail().message, "is a folder"));
}

TEST_F(SettingsTest, VaultsThatAreMissingOrFiles) {
  input_.flags["vault"] = {"nowhere"};
  Error error = must_fail();
  EXPECT_EQ(error.code, ErrorCode::kVaultUnreachable);
  EXPECT_EQ(error.where, root_ + "/nowhere");
  EXPECT_TRUE(contains(error.hint, "--vault"));
  write("file.md", "x");
  input_.flags["vault"] = {"file.md"};
  error = must_fail();
  EXPECT_EQ(error.code, ErrorCode::kVaultUnreachable);
  EXPECT_TRUE(contains(error.message, "not a folder"));
  input_.flags["vault"] = {""};
  EXPECT_EQ(must_fail().where, "--vault");
}

TEST_F(SettingsTest, AVaultThatWentAwayKeepsItsIndex) {
  input_.flags["vault"] = {"Notes"};
  const std::string index = must_load().config.index;
  fs::create_directories(fs::path(index).parent_path());
  std::ofstream(index) << "x";
  fs::remove_all(root_ + "/Notes");
  EXPECT_EQ(must_load().config.index, index);
}

TEST_F(SettingsTest, TildeMeansHome) {
  fs::create_directories(root_ + "/home/Vault");
  write_config("vault: ~/Vault\n");
  EXPECT_EQ(must_load().config.vault, root_ + "/home/Vault");
  EXPECT_EQ(must_load().origin["vault"], "config-file");
}

TEST_F(SettingsTest, AVaultsFileMaySetIncludeAndExcludeOnly) {
  input_.flags["vault"] = {"Notes"};
  write("Notes/.lectern.yaml", "include: ['*.md']\nindex: /tmp/evil.db\ngate:\n  threshold: 0\n");
  LoadedConfig loaded = must_load();
  EXPECT_EQ(loaded.config.include, (std::vector<std::string>{"*.md"}));
  EXPECT_EQ(loaded.origin["include"], "vault-file");
  EXPECT_NE(loaded.config.index, "/tmp/evil.db");
  EXPECT_DOUBLE_EQ(loaded.config.gate.threshold, Config{}.gate.threshold);
  ASSERT_EQ(loaded.warnings.size(), 2U);
  EXPECT_EQ(loaded.warnings[0].path, ".lectern.yaml");
  EXPECT_EQ(loaded.warnings[0].line, 2U);
  EXPECT_TRUE(contains(loaded.warnings[0].message, "'index'"));
  EXPECT_EQ(loaded.warnings[1].line, 4U);

  write_config("include: [mine]\n");
  EXPECT_EQ(must_load().config.include, (std::vector<std::string>{"mine"}));
}

TEST_F(SettingsTest, ABrokenVaultFileIsOnlyAWarning) {
  input_.flags["vault"] = {"Notes"};
  write("Notes/.lectern.yaml", "include: [\n");
  const LoadedConfig loaded = must_load();
  EXPECT_TRUE(loaded.config.include.empty());
  EXPECT_EQ(loaded.warnings.size(), 1U);
}

// ---- names, secrets, the document ------------------------------------------------------

TEST(NearestName, FindsTyposAndNothingFar) {
  const std::vector<std::string> names{"status", "search", "links"};
  EXPECT_EQ(nearest_name("serach", names), "search");
  EXPECT_EQ(nearest_name("stat", names), "status");
  EXPECT_EQ(nearest_name("lnks", names), "links");
  EXPECT_EQ(nearest_name("zzzzzz", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 'a'), names), "");
}

TEST(Secrets, WholePartsOfANameOnly) {
  EXPECT_TRUE(is_secret("serve.token"));
  EXPECT_TRUE(is_secret("openai.api_key"));
  EXPECT_TRUE(is_secret("client_secret"));
  EXPECT_FALSE(is_secret("chunk.min_tokens"));
  EXPECT_FALSE(is_secret("keyword.k1"));
}

TEST(Secrets, AreMasked) {
  Setting setting;
  setting.name = "serve.token";
  setting.get = [](const Config&) { return std::string("abc"); };
  EXPECT_EQ(shown_value(setting, {}), "********");
  setting.get = [](const Config&) { return std::string(); };
  EXPECT_EQ(shown_value(setting, {}), "");
}

TEST(Registry, EverySettingReadsBackWhatItShows) {
  for (const Setting& setting : settings()) {
    const std::string value = setting.get(Config{});
    if (value.empty()) continue;
    Config config;
    ASSERT_TRUE(setting.set(config, value)) << setting.name;
    EXPECT_EQ(setting.get(config), value) << setting.name;
    EXPECT_FALSE(setting.meaning.empty()) << setting.name;
  }
}

std::string file_text(const std::string& path) {
  std::ifstream in(std::string(LECTERN_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Each row of the table: | `name` | flag | `VARIABLE` | default | ...
TEST(Registry, TheDocumentListsEverySettingWithItsDefault) {
  const std::string document = file_text("docs/configuration.md");
  ASSERT_FALSE(document.empty());
  for (const Setting& setting : settings()) {
    const std::string value = setting.get(Config{});
    const std::string flag =
        setting.flag.empty() ? "\u2013" : "`" + std::string(setting.flag) + "`";
    const std::string row =
        "| `" + std::string(setting.name) + "` | " + flag + " | `" + setting.environment + "` | ";
    const size_t at = document.find(row);
    ASSERT_NE(at, std::string::npos) << "no row " << row;
    if (!value.empty()) {
      EXPECT_EQ(document.substr(at + row.size(), value.size() + 2), value + " |") << row;
    }
  }
}

TEST(Registry, ExamplesNameEverySetting) {
  const std::string environment = file_text(".env.example");
  const std::string yaml = file_text("config.example.yaml");
  for (const Setting& setting : settings()) {
    const std::string value = setting.list ? "" : setting.get(Config{});
    const std::string end = value.empty() ? "" : "\n";
    EXPECT_TRUE(contains(environment, "#" + setting.environment + "=" + value + end))
        << setting.environment << " " << value;
    if (setting.name == "config" || setting.name == "env_file") continue;
    const size_t dot = setting.name.find('.');
    const std::string_view key =
        dot == std::string_view::npos ? setting.name : setting.name.substr(dot + 1);
    EXPECT_TRUE(contains(yaml, std::string(key) + ":")) << setting.name;
  }
}

// With every comment sign in front of a setting removed, the example must load and say
// the defaults.
TEST_F(SettingsTest, TheExampleFileSaysTheDefaults) {
  std::istringstream lines(file_text("config.example.yaml"));
  std::string active;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#: ")) line = line.substr(3);
    active += line + "\n";
  }
  fs::create_directories(root_ + "/home/Notes");
  write_config(active);
  const LoadedConfig loaded = must_load();
  for (const Setting& setting : settings()) {
    const bool is_place = setting.name == "vault" || setting.name == "index" ||
                          setting.name == "config" || setting.name == "env_file" || setting.list;
    if (is_place) continue;
    EXPECT_EQ(loaded.origin.at(std::string(setting.name)), "config-file") << setting.name;
    EXPECT_EQ(setting.get(loaded.config), setting.get(Config{})) << setting.name;
  }
}

}  // namespace
}  // namespace lectern
