// Link resolution as Obsidian does it: which note a link's target means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vault/note.h"

namespace lectern::vault {

enum class LinkState : uint8_t { kResolved = 0, kUnresolved, kAmbiguous, kAlias };

struct Resolution {
  LinkState state = LinkState::kUnresolved;
  int64_t note = -1;                // the note chosen; -1: unresolved, or an attachment
  std::string path;                 // its path (also for attachments)
  std::vector<int64_t> candidates;  // ambiguous: all that fit, the chosen one first
};

// Built once a generation from the paths and aliases of every note and the paths of
// attachments. Keys are NFC and case-folded; exact case wins among equals.
class LinkIndex {
 public:
  void add_note(int64_t id, std::string_view path, const std::vector<std::string>& aliases);
  void add_attachment(std::string_view path);

  // `from`: path of the linking note. Order: empty target (same note); `./`, `../` and, for
  // Markdown links, paths relative to the note; exact vault path; unique suffix; else the
  // linking note's own folder, the shortest path string, byte order (state kAmbiguous);
  // else an alias (state kAlias); else unresolved.
  Resolution resolve(std::string_view from, const Link& link) const;

  // The key under which a link must be looked at again when a file of that name comes or
  // goes: folded last component without .md.
  static std::string link_key(std::string_view target);

 private:
  struct Entry {
    int64_t id;
    std::string path;
    std::string folded;
  };
  std::unordered_map<std::string, std::vector<Entry>> by_name_;
  std::unordered_map<std::string, std::vector<Entry>> by_alias_;
};

}  // namespace lectern::vault
