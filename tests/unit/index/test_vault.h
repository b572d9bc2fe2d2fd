// A small vault and its index in a folder of the test's own, and a description of
// everything the index holds, to compare two of them.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/indexer.h"

namespace lectern::index {

class TestVault {
 public:
  TestVault();
  ~TestVault();
  TestVault(const TestVault&) = delete;
  TestVault& operator=(const TestVault&) = delete;

  // Files of the vault. Time stamps are set back by an hour, so that nothing is racy.
  void write(const std::string& path, std::string_view text) const;
  void remove(const std::string& path) const;
  void rename(const std::string& from, const std::string& to) const;
  std::string file(const std::string& path) const { return root_ + "/vault/" + path; }
  std::string root() const { return root_; }

  Config config() const;
  // Runs with a batch of three notes, so that small vaults make several commits.
  Result<IndexReport> try_index(const IndexRequest& request = {},
                                const std::string& vfs = {}) const;
  IndexReport index(const IndexRequest& request = {}) const;
  std::unique_ptr<store::Store> store(const std::string& vfs = {}) const;

  // Every note, chunk, link and attachment, and the ranking of some queries. Ids and
  // segments may differ between two indexes that hold the same; they do not show here.
  std::string contents() const;
  // SQLite's own opinion of the file: "ok".
  std::string integrity() const;

 private:
  std::string root_;
};

// Sets a file's times to `hours` ago.
void set_age(const std::string& path, int hours);

}  // namespace lectern::index
