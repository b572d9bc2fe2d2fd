// wire: replies as JSON text, the same objects for the command line, HTTP and MCP.
//
// One JSON object each, without line ends, keys in the documented order. Bytes that are not
// UTF-8 become U+FFFD. A string that a reply leaves empty because there is none (date,
// hint, alias, path of an unresolved link, ...) is null, as are unknown lines of warnings.
#pragma once

#include <string>

#include "lectern/result.h"
#include "lectern/types.h"

namespace lectern::serve {

std::string to_json(const SearchReply& reply);
std::string to_json(const AskReply& reply);
std::string to_json(const IndexReport& report);
std::string to_json(const GetReply& reply);
std::string to_json(const LinksReply& reply);
std::string to_json(const StatusReply& reply);
// {"error":{"code","message","hint"}}; the message starts with where it happened.
std::string to_json(const Error& error);

}  // namespace lectern::serve
