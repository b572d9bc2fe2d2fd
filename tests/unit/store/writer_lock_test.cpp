// The writer's lock: one at a time, a message that names the holder, freed by death.
#include "store/writer_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <optional>
#include <thread>

#include "scratch_folder.h"

namespace lectern::store {
namespace {

TEST(WriterLock, MakesTheFolderAndAPrivateFile) {
  const ScratchFolder folder;
  const auto lock = WriterLock::acquire(folder / "new/deep/index.db", 0);
  ASSERT_TRUE(lock) << to_line(lock.error());
  struct stat file {};
  ASSERT_EQ(::stat((folder / "new/deep/index.db.lock").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600U);
}

TEST(WriterLock, TheSecondIsToldWhoHoldsIt) {
  const ScratchFolder folder;
  std::optional<WriterLock> first = *WriterLock::acquire(folder / "i", 0);
  const auto second = WriterLock::acquire(folder / "i", 30);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_EQ(second.error().message, "process " + std::to_string(::getpid()) + " is indexing");
  EXPECT_FALSE(second.error().hint.empty());
  first.reset();
  EXPECT_TRUE(WriterLock::acquire(folder / "i", 0));
  EXPECT_TRUE(std::filesystem::exists(folder / "i.lock"));  // never deleted
}

TEST(WriterLock, TheSecondWaitsForTheFirst) {
  const ScratchFolder folder;
  std::optional<WriterLock> first = *WriterLock::acquire(folder / "i", 0);
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    first.reset();
  });
  const auto second = WriterLock::acquire(folder / "i", 30000);
  release.join();
  EXPECT_TRUE(second);
}

TEST(WriterLock, WaitingCanBeStopped) {
  const ScratchFolder folder;
  const auto first = WriterLock::acquire(folder / "i", 0);
  const std::atomic<bool> cancel = true;
  const auto second = WriterLock::acquire(folder / "i", 30000, &cancel);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kCancelled);
}

TEST(WriterLock, AKilledHolderFreesIt) {
  const ScratchFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = WriterLock::acquire(folder / "i", 0);
    [[maybe_unused]] const auto written = ::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto busy = WriterLock::acquire(folder / "i", 0);
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().message, "process " + std::to_string(child) + " is indexing");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(WriterLock::acquire(folder / "i", 0));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(WriterLock, AFolderThatCannotBeMadeIsAnError) {
  const ScratchFolder folder;
  write_bytes(folder / "file", "x");
  const auto lock = WriterLock::acquire(folder / "file/index.db", 0);
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace lectern::store
