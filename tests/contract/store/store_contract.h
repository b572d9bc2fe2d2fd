// The promises of store::Store, checked on any implementation: an implementation
// instantiates StoreContract with a factory (see sqlite_test.cpp); store_contract.cpp
// holds the tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "store/store.h"

namespace lectern::store {

struct StoreFactory {
  std::string name;
  // A store over `folder` (which exists and is empty at first). Called again with the same
  // folder it must open what the first one committed.
  std::function<std::unique_ptr<Store>(const std::string& folder)> make;
};

class StoreContract : public testing::TestWithParam<StoreFactory> {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::unique_ptr<Store> open() { return GetParam().make(folder_.string()); }

  std::filesystem::path folder_;
  std::unique_ptr<Store> store_;
};

}  // namespace lectern::store
