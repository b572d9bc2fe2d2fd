// views: replies as text for people, one function a reply. Pure: no terminal is asked.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"
#include "cli/layout.h"
#include "lectern/types.h"

namespace lectern::cli {

std::string view_search(const SearchReply& reply, const Style& style);
std::string view_ask(const AskReply& reply, const Style& style);
std::string view_index(const IndexReport& report, const Style& style);
std::string view_get(const GetReply& reply, const Style& style);
std::string view_links(const LinksReply& reply, const Style& style);
std::string view_status(const StatusReply& reply, const Style& style);
std::string view_config(const LoadedConfig& loaded, const Style& style);
std::string view_trace(const Trace& trace, const Style& style);

// "answered without: vault"; empty when nothing is degraded.
std::string view_degraded(const std::vector<std::string>& degraded);
std::string view_warning(const Warning& warning);

}  // namespace lectern::cli
