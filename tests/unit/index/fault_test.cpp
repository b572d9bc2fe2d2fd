// Disks that fail and processes that die, at every write of a run: the index always opens,
// is sound, and the next run makes it hold what an undisturbed one does.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "fault_vfs.h"
#include "test_vault.h"

namespace lectern::index {
namespace {

void first_state(const TestVault& vault) {
  vault.write("a/Tea.md", "# Tea\ngreen tea [[Coffee]]\n");
  vault.write("a/Coffee.md", "# Coffee\ncoffee beans [[Tea]]\n");
  vault.write("Move.md", "notes that move [[Tea]]\n");
  vault.write("Delete.md", "notes that go [[Coffee]]\n");
  vault.write("Edit.md", "alpha\n");
  vault.write("Stay.md", "beta [[Edit]]\n");
}

void second_state(const TestVault& vault) {
  vault.write("Edit.md", "alpha and tea, [[New]] [[Delete]]\n");
  vault.write("New.md", "deploy [[Move]]\n" + std::string(6000, 'n') + "\n");
  vault.rename("Move.md", "b/Move.md");
  vault.remove("Delete.md");
}

std::string undisturbed(bool two_states) {
  const TestVault vault;
  first_state(vault);
  vault.index();
  if (two_states) {
    second_state(vault);
    vault.index();
  }
  return vault.contents();
}

enum class Scenario { kFirstRun, kUpdate, kFull, kDamaged };

class Faults : public testing::TestWithParam<std::tuple<Scenario, Fault>> {};

// Puts the vault and its index where the run to be disturbed starts from.
void prepare(const TestVault& vault, Scenario scenario) {
  const std::string index = vault.root() + "/index", kept = vault.root() + "/kept";
  std::filesystem::remove_all(vault.file(""));
  std::filesystem::remove_all(index);
  first_state(vault);
  if (scenario == Scenario::kFirstRun) return;
  if (!std::filesystem::exists(kept)) {
    vault.index();
    std::filesystem::copy(index, kept, std::filesystem::copy_options::recursive);
  } else {
    std::filesystem::copy(kept, index, std::filesystem::copy_options::recursive);
  }
  second_state(vault);
  if (scenario == Scenario::kDamaged) std::filesystem::resize_file(vault.config().index, 5000);
}

TEST_P(Faults, EveryWriteOfARunMayFail) {
  const auto [scenario, fault] = GetParam();
  const std::string expected = undisturbed(scenario != Scenario::kFirstRun);
  // The kinds of fault share the operations among them, unless all are asked for.
  const bool long_run = scenario == Scenario::kFull || scenario == Scenario::kDamaged;
  const uint64_t stride = std::getenv("LECTERN_EVERY_FAULT") != nullptr ? 1 : long_run ? 12 : 4;
  const uint64_t first = static_cast<uint64_t>(fault) * stride / 4;
  uint64_t tried = 0;
  const TestVault vault;
  for (uint64_t at = 1; at < 5000; ++at) {
    if (at % stride != first) continue;
    prepare(vault, scenario);
    const IndexRequest request{.full =
                                   scenario == Scenario::kFull || scenario == Scenario::kDamaged};
    arm(fault, at);
    const auto report = vault.try_index(request, fault_vfs());
    const bool struck = disarm();
    if (!struck) {
      ASSERT_TRUE(report) << to_line(report.error());
      EXPECT_EQ(vault.contents(), expected);
      break;
    }
    ++tried;
    if (!report) {
      EXPECT_EQ(report.error().code, ErrorCode::kIo) << at << ": " << to_line(report.error());
    }
    const auto reader = vault.store()->read();
    const bool opens = reader.has_value();
    // A first index may not exist yet; a damaged one may still be the damaged one.
    if (scenario == Scenario::kFirstRun && !opens) {
      EXPECT_EQ(reader.error().code, ErrorCode::kNoIndex) << at;
    } else if (scenario == Scenario::kDamaged && !opens) {
      EXPECT_EQ(reader.error().code, ErrorCode::kBadIndex) << at;
    } else {
      ASSERT_TRUE(opens) << at << ": " << to_line(reader.error());
      EXPECT_EQ(vault.integrity(), "ok") << at;
    }
    const auto healed = vault.try_index({.full = scenario == Scenario::kDamaged && !opens});
    ASSERT_TRUE(healed) << at << ": " << to_line(healed.error());
    ASSERT_EQ(vault.contents(), expected) << at;
    ASSERT_EQ(vault.integrity(), "ok") << at;
  }
  EXPECT_GT(tried, 5U);  // the run did write through the failing disk
}

std::string scenario_name(const testing::TestParamInfo<std::tuple<Scenario, Fault>>& test) {
  static constexpr const char* kScenarios[] = {"FirstRun", "Update", "Full", "Damaged"};
  static constexpr const char* kFaults[] = {"Error", "DiskFull", "Torn", "Kill"};
  return std::string(kScenarios[static_cast<int>(std::get<0>(test.param))]) +
         kFaults[static_cast<int>(std::get<1>(test.param))];
}

INSTANTIATE_TEST_SUITE_P(All, Faults,
                         testing::Combine(testing::Values(Scenario::kFirstRun, Scenario::kUpdate,
                                                          Scenario::kFull, Scenario::kDamaged),
                                          testing::Values(Fault::kError, Fault::kDiskFull,
                                                          Fault::kTorn, Fault::kKill)),
                         scenario_name);

void many_notes(const TestVault& vault, int count) {
  for (int i = 0; i < count; ++i) {
    vault.write("n" + std::to_string(i) + ".md",
                "alpha " + std::to_string(i) + " [[n" + std::to_string(i * 7 % count) + "]]\n");
  }
}

TEST(Killed, AtAnyMomentAndContinued) {
  constexpr int kNotes = 60;
  const TestVault whole;
  many_notes(whole, kNotes);
  const double seconds = whole.index().seconds;
  const std::string expected = whole.contents();
  std::mt19937 random(20240607);
  const TestVault vault;
  many_notes(vault, kNotes);
  for (int round = 0; round < 12; ++round) {
    if (round % 4 == 0) std::filesystem::remove_all(vault.root() + "/index");
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      (void)vault.try_index({.full = round % 4 == 3});
      ::_exit(0);
    }
    // Anywhere within the time a run takes here, and a little later.
    const double share = static_cast<double>(random() % 1200) / 1000;
    ::usleep(static_cast<useconds_t>(seconds * share * 1e6));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    if (std::filesystem::exists(vault.config().index)) {
      EXPECT_EQ(vault.integrity(), "ok") << round;
    }
    if (round % 2 == 1) {
      vault.index();
      ASSERT_EQ(vault.contents(), expected) << round;
    }
  }
}

}  // namespace
}  // namespace lectern::index
