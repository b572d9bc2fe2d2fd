// Any bytes are a note: parse_note must not crash, hang or break the invariant, and what is
// read from its blocks must hold together. The first byte chooses format and size limit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "vault/invariant.h"
#include "vault/parse.h"

namespace {

void require(bool condition, const std::string& why) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", why.c_str());
  std::abort();
}

const char* path_for(uint8_t choice) {
  switch (choice % 8) {
    case 0:
      return "a/2026-01-02 board.canvas";
    case 1:
      return "drawing.excalidraw.md";
    default:
      return "folder/note.md";
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  lectern::vault::ParseOptions options;
  if (data[0] >= 0xF0) options.max_bytes = bytes.size() / 2;
  const lectern::Note note = lectern::vault::parse_note(path_for(data[0]), bytes, options);
  const std::string fault = lectern::vault::check_invariant(note);
  require(fault.empty(), fault);
  for (const lectern::Block& block : note.blocks) {
    const std::string visible = lectern::vault::visible_text(note, block);
    require(visible.size() == note.block_text(block).size(), "visible_text changed the length");
    (void)lectern::vault::plain_text(note, block);
    (void)lectern::vault::heading_path(note, block.heading);
  }
  return 0;
}
