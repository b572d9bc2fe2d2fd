// ByteWriter and ByteReader: the few primitives of Lectern's own binary columns (packed
// notes, facts, deleted bits). Numbers are LEB128, signed ones zigzag first, strings carry
// their length. A reader never leaves its input: the first thing that does not fit makes
// it fail for good, after which every read gives zero or nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lectern::store {

class ByteWriter {
 public:
  void byte(uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void number(uint64_t value) {
    while (value >= 0x80) {
      byte(static_cast<uint8_t>(value | 0x80));
      value >>= 7;
    }
    byte(static_cast<uint8_t>(value));
  }
  void signed_number(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    number((bits << 1) ^ (value < 0 ? ~uint64_t{0} : 0));
  }
  void bytes(std::string_view value) {
    number(value.size());
    out_.append(value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  uint8_t byte() {
    if (rest_.empty()) return give_up(), uint8_t{0};
    const auto value = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      const uint64_t bits = next & 0x7F;
      if (shift == 63 && bits > 1) return give_up(), uint64_t{0};
      value |= bits << shift;
      if ((next & 0x80) == 0) return value;
    }
    return give_up(), uint64_t{0};
  }
  // A number of at most `limit`; fails beyond it.
  uint64_t number_upto(uint64_t limit) {
    const uint64_t value = number();
    if (value > limit) return give_up(), uint64_t{0};
    return value;
  }
  uint32_t number32() { return static_cast<uint32_t>(number_upto(UINT32_MAX)); }
  int64_t signed_number() {
    const uint64_t bits = number();
    return static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
  }
  // A signed number that must fit 32 bits.
  int32_t signed32() {
    const int64_t value = signed_number();
    if (value < INT32_MIN || value > INT32_MAX) return give_up(), 0;
    return static_cast<int32_t>(value);
  }
  // How many items follow, each of at least one byte: never more than bytes are left, so
  // that a hostile count cannot make the caller reserve memory.
  uint64_t count() {
    const uint64_t value = number();
    if (value > rest_.size()) return give_up(), uint64_t{0};
    return value;
  }
  std::string_view bytes() {
    const uint64_t size = count();
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }

  void give_up() {
    failed_ = true;
    rest_ = {};
  }
  bool failed() const { return failed_; }
  // Everything was read and nothing failed.
  bool finished() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace lectern::store
