// Splitting of table rows.
#include "vault/table.h"

#include <algorithm>

#include "vault/lines.h"
#include "vault/parse.h"

namespace lectern::vault {

std::vector<Cell> split_row(std::string_view row) {
  size_t begin = 0;
  size_t end = row.size();
  while (begin < end && (is_space(row[begin]) || row[begin] == '>')) ++begin;
  while (end > begin && is_space(row[end - 1])) --end;
  std::vector<Cell> cells;
  if (begin < end && row[begin] == '|') ++begin;
  const auto add = [&](size_t first, size_t last) {
    while (first < last && is_space(row[first])) ++first;
    while (last > first && is_space(row[last - 1])) --last;
    cells.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
  };
  size_t first = begin;
  for (size_t at = begin; at < end; ++at) {
    if (row[at] == '\\') {
      ++at;
    } else if (row[at] == '|') {
      add(first, at);
      first = at + 1;
    }
  }
  if (first < end) add(first, end);
  return cells;
}

bool is_delimiter_row(std::string_view row) {
  if (row.find_first_not_of("|-: \t\r>") != std::string_view::npos) return false;
  if (row.find('|') == std::string_view::npos) return false;
  const std::vector<Cell> cells = split_row(row);
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    std::string_view text = row.substr(cell.first, cell.end - cell.first);
    if (text.starts_with(':')) text.remove_prefix(1);
    if (text.ends_with(':')) text.remove_suffix(1);
    return !text.empty() && text.find_first_not_of('-') == std::string_view::npos;
  });
}

std::vector<std::string> table_cells(std::string_view row) {
  std::vector<std::string> out;
  for (const Cell& cell : split_row(row)) {
    std::string text;
    for (uint32_t i = cell.first; i < cell.end; ++i) {
      if (row[i] == '\\' && i + 1 < cell.end && row[i + 1] == '|') continue;
      text.push_back(row[i]);
    }
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace lectern::vault
