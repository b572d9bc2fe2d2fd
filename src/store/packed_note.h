// Packed notes: the parsed form of a note as one blob, so that a reader gets text, blocks
// and headings in one lookup. docs/formats/index.md describes the bytes. Decoding takes
// any input: it checks every index and span, so that what it returns can be used without
// further checks, and says false otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vault/note.h"

namespace lectern::store {

// Text, headings, blocks and skips. Not path, title, facts, links, warnings, hash, date.
std::string pack_body(const Note& note);
// Fills those fields of `note`. False: malformed; `note` is then half-filled.
bool unpack_body(std::string_view blob, Note& note);

// Aliases, tags and properties of a note: what filters and name lookups need of every note.
struct Facts {
  std::vector<std::string> aliases, tags;
  std::vector<Property> properties;
};
std::string pack_facts(const Facts& facts);
bool unpack_facts(std::string_view blob, Facts& facts);

// One bit a document, first document in the lowest bit of the first byte.
std::string pack_bits(const std::vector<bool>& bits);
bool unpack_bits(std::string_view blob, uint64_t size, std::vector<bool>& bits);

}  // namespace lectern::store
