// Reading calls of the Engine that need no ranking: get, links, status.
#pragma once

#include <string>

#include "lectern/config.h"
#include "lectern/result.h"
#include "lectern/types.h"
#include "store/store.h"

namespace lectern::engine {

Result<GetReply> get(const GetRequest& request, const Config& config, store::Store& store);
Result<LinksReply> links(const std::string& note, const Config& config, store::Store& store);
Result<StatusReply> status(const Config& config, store::Store& store);

}  // namespace lectern::engine
