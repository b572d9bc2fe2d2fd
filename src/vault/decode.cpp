// Decoding: UTF-8 and UTF-16 with a byte-order mark, line ends, repair, the size limit.
// The input is cut before it is decoded, so that memory is bounded by max_bytes.
#include "vault/decode.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace lectern::vault {

namespace {

constexpr uint64_t kHardLimit = 1u << 30;  // byte offsets are 32-bit; UTF-16 may grow by half

enum class Encoding { kUtf8, kUtf16Little, kUtf16Big };

struct Mark {
  Encoding encoding = Encoding::kUtf8;
  size_t bytes = 0;
};

Mark find_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return {Encoding::kUtf8, 3};
  if (bytes.starts_with("\xFF\xFE")) return {Encoding::kUtf16Little, 2};
  if (bytes.starts_with("\xFE\xFF")) return {Encoding::kUtf16Big, 2};
  return {};
}

// CRLF -> LF, NUL -> U+FFFD (as CommonMark does). Returns the number of NULs.
uint64_t normalise(std::string& text) {
  const bool has_cr = text.find('\r') != std::string::npos;
  const auto nuls = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\0'));
  if (!has_cr && nuls == 0) return 0;
  std::string out;
  out.reserve(text.size() + nuls * 2);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\0') {
      utf8::append(out, utf8::kReplacement);
    } else {
      out.push_back(text[i]);
    }
  }
  text = std::move(out);
  return nuls;
}

}  // namespace

std::string decode_text(std::string_view bytes, uint64_t max_bytes, const std::string& path,
                        std::vector<Warning>& warnings) {
  const Mark mark = find_mark(bytes);
  std::string_view body = bytes.substr(mark.bytes);
  const uint64_t limit = std::min(max_bytes, kHardLimit);
  const bool cut = body.size() > limit;
  if (cut) body = body.substr(0, limit);

  uint64_t replaced = 0;
  std::string text;
  if (mark.encoding != Encoding::kUtf8) {
    if (cut && body.size() % 2 == 1) body.remove_suffix(1);
    text = utf8::from_utf16(body, mark.encoding == Encoding::kUtf16Big, replaced);
    warnings.push_back({path, 1, "the file is UTF-16; it was read as that"});
  } else {
    if (cut) {
      const size_t lf = body.rfind('\n');
      body = body.substr(
          0, lf == std::string_view::npos ? utf8::floor_boundary(body, body.size()) : lf + 1);
    }
    text = utf8::is_valid(body) ? std::string(body) : utf8::repair(body, replaced);
  }
  if (cut && mark.encoding != Encoding::kUtf8) {
    const size_t lf = text.rfind('\n');
    if (lf != std::string::npos) text.resize(lf + 1);
  }
  const uint64_t nuls = normalise(text);
  if (replaced > 0) {
    warnings.push_back(
        {path, 0, fmt::format("{} malformed byte sequences were replaced by U+FFFD", replaced)});
  }
  if (nuls > 0) {
    warnings.push_back({path, 0, fmt::format("{} NUL bytes were replaced by U+FFFD", nuls)});
  }
  if (cut) {
    const auto breaks = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
    const uint32_t line = breaks + 1;
    warnings.push_back({path, line,
                        fmt::format("the note is longer than {} bytes; line {} and all after it "
                                    "are left out",
                                    limit, line)});
  }
  return text;
}

}  // namespace lectern::vault
