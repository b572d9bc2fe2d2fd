// Bytes of a file -> the text every later stage works on: valid UTF-8, LF line ends, no
// byte-order mark, no NUL.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lectern/types.h"

namespace lectern::vault {

// At most `max_bytes` of `bytes` are read; the cut falls on a line's end where there is
// one. Every repair and the cut add one warning on `path`.
std::string decode_text(std::string_view bytes, uint64_t max_bytes, const std::string& path,
                        std::vector<Warning>& warnings);

}  // namespace lectern::vault
