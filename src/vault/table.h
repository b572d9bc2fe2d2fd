// Pipe tables: cells of a row, and whether a line is a delimiter row. Ours and not cmark's
// table extension: that one fills short rows up with cell nodes, which hostile input turns
// into gigabytes, and blocks need only lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lectern::vault {

struct Cell {
  uint32_t first = 0, end = 0;  // trimmed, into the row
};

// Cells between unescaped pipes; leading and trailing pipes are borders. A pipe inside a
// code span splits too unless escaped, as in GFM.
std::vector<Cell> split_row(std::string_view row);

// `| --- | :-: |` : at least one pipe, every cell dashes with optional colons.
bool is_delimiter_row(std::string_view row);

}  // namespace lectern::vault
