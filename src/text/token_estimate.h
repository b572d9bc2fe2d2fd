// How many tokens of a subword model a text may take, guessed from its script, so that
// chunks can be sized before any tokenizer is installed. It never undercounts for the
// multilingual models Lectern ships with; it may overcount by about half.
#pragma once

#include <cstdint>
#include <string_view>

namespace lectern::text {

uint32_t estimate_tokens(std::string_view text);

}  // namespace lectern::text
