// Columns and posting blobs: encoding, and decoding that trusts nothing.
//
// Columns are raw little-endian arrays behind a magic and a count, so that loading a segment
// is five copies; the length of the blob must match the count exactly.
#include "lexical/codec.h"
#include "lexical/segment.h"

namespace lectern::lexical {

namespace {

constexpr uint32_t kColumnsMagic = 0x314C434C;  // "LCL1"
constexpr size_t kHeaderBytes = 8;
constexpr size_t kDocBytes = 8 + 8 + 4 + 16 + 1;

template <typename T>
void append_array(std::string& out, const std::vector<T>& values) {
  if (values.empty()) return;
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
void read_array(const char*& at, size_t count, std::vector<T>& values) {
  values.resize(count);
  if (count == 0) return;
  std::memcpy(values.data(), at, count * sizeof(T));
  at += count * sizeof(T);
}

}  // namespace

std::string encode_columns(const DocColumns& columns) {
  std::string out;
  out.reserve(kHeaderBytes + columns.size() * kDocBytes);
  store(out, kColumnsMagic);
  store(out, static_cast<uint32_t>(columns.size()));
  append_array(out, columns.note);
  append_array(out, columns.chunk);
  append_array(out, columns.id);
  append_array(out, columns.length);
  append_array(out, columns.lang);
  return out;
}

Result<DocColumns> decode_columns(std::string_view blob) {
  const auto bad = [] { return fail(ErrorCode::kBadIndex, "damaged document columns"); };
  if (blob.size() < kHeaderBytes || load<uint32_t>(blob.data()) != kColumnsMagic) return bad();
  const size_t count = load<uint32_t>(blob.data() + 4);
  if (blob.size() != kHeaderBytes + count * kDocBytes) return bad();
  DocColumns columns;
  const char* at = blob.data() + kHeaderBytes;
  read_array(at, count, columns.note);
  read_array(at, count, columns.chunk);
  read_array(at, count, columns.id);
  read_array(at, count, columns.length);
  read_array(at, count, columns.lang);
  return columns;
}

std::string encode_postings(const std::vector<Posting>& postings) {
  std::string out;
  put_varint(out, postings.size());
  DocOrd expected = 0;
  for (const Posting& posting : postings) put_posting(out, posting, expected);
  return out;
}

bool decode_postings(std::string_view blob, uint32_t docs,
                     const std::function<void(const Posting&)>& visit) {
  return for_each_posting(blob, docs, [&](DocOrd doc, uint32_t body_tf, uint8_t fields) {
    visit(Posting{doc, body_tf, fields});
  });
}

void decode_postings_into(std::string_view blob, uint32_t docs, std::vector<Posting>& out,
                          bool& ok) {
  out.clear();
  ok = for_each_posting(blob, docs, [&](DocOrd doc, uint32_t body_tf, uint8_t fields) {
    out.push_back({doc, body_tf, fields});
  });
}

}  // namespace lectern::lexical
