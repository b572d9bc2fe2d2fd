// Varints, fixed little-endian numbers, and the posting decoder that the evaluator inlines.
//
// A posting blob is: varint count, then a posting each: varint (gap << 1 | plain), where gap
// is the distance to the document expected next (0 for consecutive ones), and unless plain
// (body_tf 1, no field) a varint (body_tf << 3 | fields). Most postings are one byte.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "lexical/segment.h"

namespace lectern::lexical {

static_assert(std::endian::native == std::endian::little, "index blobs are little-endian");

inline void put_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Reads at `at`, never past `end`. False when cut short or longer than 64 bits.
inline bool get_varint(const char*& at, const char* end, uint64_t& value) {
  if (at == end) return false;
  auto byte = static_cast<uint8_t>(*at++);
  value = byte & 0x7Fu;
  for (uint32_t shift = 7; byte >= 0x80; shift += 7) {
    if (at == end || shift > 63) return false;
    byte = static_cast<uint8_t>(*at++);
    value |= static_cast<uint64_t>(byte & 0x7Fu) << shift;
  }
  return true;
}

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T>
void store(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr uint32_t kMaxBodyTf = (1u << 29) - 1;

// Appends one posting; `expected` is the ordinal after the last one's.
inline void put_posting(std::string& out, const Posting& posting, DocOrd& expected) {
  const bool plain = posting.body_tf == 1 && posting.fields == 0;
  put_varint(out, static_cast<uint64_t>(posting.doc - expected) << 1 | (plain ? 1u : 0u));
  if (!plain) put_varint(out, static_cast<uint64_t>(posting.body_tf) << 3 | posting.fields);
  expected = posting.doc + 1;
}

// visit(doc, body_tf, fields) for each posting. False on a malformed blob; postings before
// the fault were visited.
template <typename Visit>
bool for_each_posting(std::string_view blob, uint32_t docs, Visit&& visit) {
  const char* at = blob.data();
  const char* const end = at + blob.size();
  uint64_t count = 0;
  if (!get_varint(at, end, count) || count > docs) return false;
  uint64_t expected = 0;
  // Fast path: both numbers in one byte each, the common case. Whether there is a second one
  // is data, not a branch: it cannot be predicted.
  while (count > 0 && end - at >= 2) {
    const auto first = static_cast<uint8_t>(at[0]);
    const auto second = static_cast<uint8_t>(at[1]);
    const bool plain = (first & 1) != 0;
    const uint32_t value = plain ? 1u << 3 : second;
    if (first >= 0x80 || value >= 0x80) {
      uint64_t gap = 0;
      uint64_t wide = 1u << 3;
      if (!get_varint(at, end, gap) || ((gap & 1) == 0 && !get_varint(at, end, wide))) return false;
      gap >>= 1;
      if (gap >= docs || expected + gap >= docs || (wide >> 3) > kMaxBodyTf) return false;
      expected += gap;
      visit(static_cast<DocOrd>(expected), static_cast<uint32_t>(wide >> 3),
            static_cast<uint8_t>(wide & 7));
    } else {
      expected += first >> 1;
      if (expected >= docs) return false;
      visit(static_cast<DocOrd>(expected), value >> 3, static_cast<uint8_t>(value & 7));
      at += plain ? 1 : 2;
    }
    ++expected;
    --count;
  }
  for (; count > 0; --count) {
    uint64_t gap = 0;
    if (!get_varint(at, end, gap)) return false;
    uint64_t value = 1u << 3;
    if ((gap & 1) == 0 && !get_varint(at, end, value)) return false;
    gap >>= 1;
    if (gap >= docs || expected + gap >= docs || (value >> 3) > kMaxBodyTf) return false;
    expected += gap;
    visit(static_cast<DocOrd>(expected), static_cast<uint32_t>(value >> 3),
          static_cast<uint8_t>(value & 7));
    ++expected;
  }
  return at == end;
}

}  // namespace lectern::lexical
