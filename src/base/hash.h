// 128-bit content hashes (XXH3) as values: chunk ids, block ids, file hashes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lectern {

struct Hash128 {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Hash128&) const = default;
};

Hash128 hash128(std::string_view bytes);
uint64_t hash64(std::string_view bytes);

// Hashes parts with their lengths, so that ("ab","c") and ("a","bc") differ.
class Hasher {
 public:
  Hasher& add(std::string_view part);
  Hasher& add(uint64_t number);
  Hash128 finish() const;

 private:
  std::string buffer_;
};

// 32 lower-case hex digits, and back (nullopt when it is not exactly that).
std::string to_hex(const Hash128& hash);
std::optional<Hash128> hash_from_hex(std::string_view hex);

// 16 bytes, big-endian: sorts like the value. For database keys.
std::array<char, 16> to_bytes(const Hash128& hash);
Hash128 hash_from_bytes(const char* sixteen_bytes);

}  // namespace lectern
