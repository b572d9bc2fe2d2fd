// Resolving links again; see link_pass.h.
#include "index/link_pass.h"

#include <unordered_map>

#include "vault/parse.h"
#include "vault/resolve.h"

namespace lectern::index {

namespace {

class Resolver {
 public:
  Resolver(store::Writer& writer, const std::vector<store::NoteMeta>& notes,
           const std::vector<std::string>& attachments)
      : writer_(writer) {
    for (const store::NoteMeta& note : notes) {
      names_.add_note(note.id, note.path, note.aliases);
      paths_.emplace(note.id, note.path);
    }
    for (const std::string& path : attachments) names_.add_attachment(path);
  }

  Status resolve(std::vector<store::LinkRow> rows) {
    for (store::LinkRow& row : rows) {
      const auto from = paths_.find(row.note);
      if (from == paths_.end()) continue;
      const vault::Resolution found = names_.resolve(from->second, row.link);
      if (found.state == row.state && found.note == row.destination && found.path == row.path) {
        continue;
      }
      row.state = found.state;
      row.destination = found.note;
      row.path = found.path;
      TRY_STATUS(writer_.set_resolution(row));
    }
    return {};
  }

 private:
  store::Writer& writer_;
  vault::LinkIndex names_;
  std::unordered_map<int64_t, std::string> paths_;
};

}  // namespace

void LinkPass::name_changed(std::string_view path, const std::vector<std::string>& aliases) {
  keys_.insert(vault::LinkIndex::link_key(path));
  keys_.insert(vault::LinkIndex::link_key(vault::stem_of(path)));
  for (const std::string& alias : aliases) keys_.insert(vault::LinkIndex::link_key(alias));
}

Status LinkPass::run(store::Writer& writer, const std::vector<std::string>& attachments) const {
  if (!needed()) return {};
  TRY(const auto notes, writer.all_note_meta());
  Resolver resolver(writer, notes, attachments);
  if (everything_) {
    for (const store::NoteMeta& note : notes) {
      TRY(auto rows, writer.outgoing(note.id));
      TRY_STATUS(resolver.resolve(std::move(rows)));
    }
    return {};
  }
  for (const int64_t note : notes_) {
    TRY(auto rows, writer.outgoing(note));
    TRY_STATUS(resolver.resolve(std::move(rows)));
  }
  for (const std::string& key : keys_) {
    TRY(auto rows, writer.links_with_key(key));
    TRY_STATUS(resolver.resolve(std::move(rows)));
  }
  return {};
}

}  // namespace lectern::index
