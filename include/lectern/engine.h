// Engine: the one way into Lectern. The command line, and later MCP, HTTP and the
// inspector, call these functions and nothing beneath them.
//
// Move-only. Const calls are thread-safe; index() may run in one thread while others
// search, and in one process at a time (others get ErrorCode::kBusy after a wait).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"

#define LECTERN_API __attribute__((visibility("default")))

namespace lectern {

struct IndexProgress {
  std::string phase;  // "scan" | "read" | "merge" | "links"
  uint64_t done = 0, total = 0;
};
using ProgressFn = std::function<void(const IndexProgress&)>;

class LECTERN_API Engine {
 public:
  // Opens nothing yet but checks the configuration; the index file is opened by the
  // first call that needs it. Errors: kNoVault, kConfig.
  static Result<Engine> open(Config config);

  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  // Brings the index up to date with the vault. `cancel` is polled between notes.
  Result<IndexReport> index(const IndexRequest& request, const ProgressFn& progress = {},
                            const std::atomic<bool>* cancel = nullptr);

  Result<SearchReply> search(const SearchRequest& request) const;
  Result<AskReply> ask(const AskRequest& request) const;
  Result<GetReply> get(const GetRequest& request) const;
  Result<LinksReply> links(const std::string& note) const;
  Result<StatusReply> status() const;
  const Config& config() const;

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

LECTERN_API std::string_view version();

}  // namespace lectern
