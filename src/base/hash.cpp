#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lectern {

Hash128 hash128(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Hasher& Hasher::add(std::string_view part) {
  add(static_cast<uint64_t>(part.size()));
  buffer_.append(part);
  return *this;
}

Hasher& Hasher::add(uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) {
    buffer_.push_back(static_cast<char>((number >> shift) & 0xff));
  }
  return *this;
}

Hash128 Hasher::finish() const { return hash128(buffer_); }

std::string to_hex(const Hash128& hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(32);
  for (const char byte : to_bytes(hash)) {
    const auto value = static_cast<unsigned char>(byte);
    out.push_back(kDigits[value >> 4]);
    out.push_back(kDigits[value & 15]);
  }
  return out;
}

std::optional<Hash128> hash_from_hex(std::string_view hex) {
  if (hex.size() != 32) return std::nullopt;
  Hash128 hash;
  for (size_t i = 0; i < hex.size(); ++i) {
    const char c = hex[i];
    uint64_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint64_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<uint64_t>(c - 'a' + 10);
    } else {
      return std::nullopt;
    }
    uint64_t& half = i < 16 ? hash.high : hash.low;
    half = (half << 4) | digit;
  }
  return hash;
}

std::array<char, 16> to_bytes(const Hash128& hash) {
  std::array<char, 16> out{};
  for (size_t i = 0; i < 8; ++i) {
    out[i] = static_cast<char>((hash.high >> (56 - 8 * i)) & 0xff);
    out[i + 8] = static_cast<char>((hash.low >> (56 - 8 * i)) & 0xff);
  }
  return out;
}

Hash128 hash_from_bytes(const char* sixteen_bytes) {
  Hash128 hash;
  for (size_t i = 0; i < 8; ++i) {
    hash.high = (hash.high << 8) | static_cast<unsigned char>(sixteen_bytes[i]);
    hash.low = (hash.low << 8) | static_cast<unsigned char>(sixteen_bytes[i + 8]);
  }
  return hash;
}

}  // namespace lectern
