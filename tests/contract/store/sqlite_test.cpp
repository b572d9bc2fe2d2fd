// The SQLite store under the contract suite.
#include "store_contract.h"

namespace lectern::store {

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract,
                         testing::Values(StoreFactory{
                             "sqlite",
                             [](const std::string& folder) {
                               return open_sqlite({folder + "/index.db", ""});
                             }}),
                         [](const auto& test) { return test.param.name; });

}  // namespace lectern::store
