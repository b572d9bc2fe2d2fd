// A .case file: a small vault, what is done to it, and what is right, as text that needs no
// C++ (format: README.md beside this file). Parsing is strict: whatever is not understood
// is an error that names the line.
#pragma once

#include <string>
#include <vector>

#include "lectern/result.h"

namespace lectern::cases {

// `name: value` under a section.
struct Line {
  int number = 0;  // in the case file
  std::string name, value;
};

enum class SectionKind {
  kFile,
  kSymlink,
  kDelete,
  kMove,
  kConfig,
  kIndex,
  kSearch,
  kAsk,
  kGet,
  kLinks
};

struct Section {
  SectionKind kind = SectionKind::kFile;
  int number = 0;
  std::string argument;            // path, query, question
  std::string target;              // symlink, move: where to
  std::string bytes;               // file: what is written
  int copies = 0;                  // file: 0, or written this often with {n} replaced by 1, 2, ...
  std::vector<Line> options;       // known to the section: mode, limit, folder, ...
  std::vector<Line> expectations;  // the rest
};

struct CaseFile {
  std::string path;
  std::string meaning;  // the comment it opens with
  std::vector<Section> sections;
};

// Errors: kConfig, with "file:line" as where and what is wrong as message.
Result<CaseFile> parse_case(const std::string& path, const std::string& text);

}  // namespace lectern::cases
