#include "base/utf8.h"

namespace lectern::utf8 {

namespace {

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

Decoded decode(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const size_t left = text.size() - at;
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  uint32_t length = 0;
  char32_t code = 0;
  // The second byte's range excludes overlong forms, surrogates and values over 10FFFF.
  unsigned char second_min = 0x80;
  unsigned char second_max = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    code = lead & 0x1Fu;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    code = lead & 0x0Fu;
    if (lead == 0xE0) second_min = 0xA0;
    if (lead == 0xED) second_max = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    code = lead & 0x07u;
    if (lead == 0xF0) second_min = 0x90;
    if (lead == 0xF4) second_max = 0x8F;
  } else {
    return {kReplacement, 1, false};
  }
  for (uint32_t i = 1; i < length; ++i) {
    if (i >= left) return {kReplacement, i, false};
    const unsigned char next = byte(i);
    const bool ok = i == 1 ? next >= second_min && next <= second_max : is_continuation(next);
    if (!ok) return {kReplacement, i, false};
    code = (code << 6) | (next & 0x3Fu);
  }
  return {code, length, true};
}

void append(std::string& out, char32_t code) {
  const auto put = [&](char32_t value) { out.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

bool is_valid(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Decoded next = decode(text, at);
    if (!next.valid) return false;
    at += next.bytes;
  }
  return true;
}

std::string repair(std::string_view bytes, uint64_t& replaced) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const Decoded next = decode(bytes, at);
    if (next.valid) {
      out.append(bytes.substr(at, next.bytes));
    } else {
      append(out, kReplacement);
      ++replaced;
    }
    at += next.bytes;
  }
  return out;
}

std::string from_utf16(std::string_view bytes, bool big_endian, uint64_t& replaced) {
  std::string out;
  out.reserve(bytes.size());
  const auto unit = [&](size_t at) -> char32_t {
    const auto a = static_cast<unsigned char>(bytes[at]);
    const auto b = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? static_cast<char32_t>(a << 8 | b) : static_cast<char32_t>(b << 8 | a);
  };
  size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    const char32_t code = unit(at);
    if (code < 0xD800 || code > 0xDFFF) {
      append(out, code);
      continue;
    }
    if (code < 0xDC00 && at + 3 < bytes.size()) {
      const char32_t low = unit(at + 2);
      if (low >= 0xDC00 && low <= 0xDFFF) {
        append(out, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        at += 2;
        continue;
      }
    }
    append(out, kReplacement);
    ++replaced;
  }
  if (at < bytes.size()) {
    append(out, kReplacement);
    ++replaced;
  }
  return out;
}

size_t floor_boundary(std::string_view text, size_t limit) {
  if (limit >= text.size()) return text.size();
  while (limit > 0 && is_continuation(static_cast<unsigned char>(text[limit]))) --limit;
  return limit;
}

}  // namespace lectern::utf8
