// The walk over a vault: openat and readdir, one fstatat a note, nothing opened but
// folders. Symbolic links are looked at after the walk, when every real file is known.
#include "vault/scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "base/utf8.h"

namespace lectern::vault {

namespace {

constexpr size_t kMaxFolderDepth = 256;  // one descriptor a level

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};
using Dir = std::unique_ptr<DIR, CloseDir>;

Dir open_folder(int parent, const char* name, bool follow) {
  const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW);
  const int fd = ::openat(parent, name, flags);
  if (fd < 0) return nullptr;
  DIR* dir = ::fdopendir(fd);
  if (dir == nullptr) ::close(fd);
  return Dir(dir);
}

bool ends_with_ignoring_case(std::string_view name, std::string_view suffix) {
  if (name.size() <= suffix.size()) return false;
  const std::string_view tail = name.substr(name.size() - suffix.size());
  return std::equal(tail.begin(), tail.end(), suffix.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

bool is_note_name(std::string_view name) {
  return ends_with_ignoring_case(name, ".md") || ends_with_ignoring_case(name, ".markdown") ||
         ends_with_ignoring_case(name, ".canvas");
}

// What editors and sync clients leave behind while they write.
bool is_temporary(std::string_view name) {
  if (name.ends_with('~') || name.starts_with("~$")) return true;
  if (name.size() > 1 && name.starts_with('#') && name.ends_with('#')) return true;
  for (const std::string_view suffix :
       {".tmp", ".temp", ".swp", ".swo", ".swx", ".part", ".crdownload", ".icloud"}) {
    if (ends_with_ignoring_case(name, suffix)) return true;
  }
  return false;
}

bool is_private(std::string_view name) { return name == "_private" || name == "_sensitiveData"; }

FileStat from_stat(const struct stat& raw) {
  FileStat out;
  out.size = static_cast<uint64_t>(raw.st_size);
  out.mtime_ns = raw.st_mtim.tv_sec * 1'000'000'000LL + raw.st_mtim.tv_nsec;
  out.ctime_ns = raw.st_ctim.tv_sec * 1'000'000'000LL + raw.st_ctim.tv_nsec;
  out.inode = raw.st_ino;
  out.device = raw.st_dev;
  return out;
}

class Scanner {
 public:
  Scanner(const std::string& vault, const ScanOptions& options, GlobSet include, GlobSet exclude)
      : vault_(vault),
        options_(options),
        include_(std::move(include)),
        exclude_(std::move(exclude)) {}

  Result<ScanResult> run() {
    Dir root = open_folder(AT_FDCWD, vault_.c_str(), true);
    if (!root) {
      return fail(ErrorCode::kVaultUnreachable, std::strerror(errno), vault_,
                  "is the vault's folder mounted and readable?");
    }
    folders_.push_back({std::move(root), ""});
    while (!folders_.empty()) {
      if (!read_next()) folders_.pop_back();
    }
    if (root_failed_) {
      return fail(ErrorCode::kVaultUnreachable, "the folder could not be listed", vault_,
                  "is the vault's folder mounted and readable?");
    }
    add_linked_files();
    std::sort(out_.files.begin(), out_.files.end(),
              [](const ScannedFile& a, const ScannedFile& b) { return a.path < b.path; });
    std::sort(out_.attachments.begin(), out_.attachments.end());
    std::sort(out_.unreadable.begin(), out_.unreadable.end());
    return std::move(out_);
  }

 private:
  struct Folder {
    Dir dir;
    std::string path;  // relative, with a trailing '/'; empty: the vault
  };

  // Handles one entry of the innermost folder; false when it has no more.
  bool read_next() {
    DIR* dir = folders_.back().dir.get();
    errno = 0;
    const dirent* entry = ::readdir(dir);
    if (entry == nullptr) {
      if (errno != 0) {
        if (folders_.size() == 1) root_failed_ = true;
        unreadable(folders_.back().path, errno);
      }
      return false;
    }
    const std::string_view name = entry->d_name;
    // Dot entries: ".", "..", .obsidian, .trash, .git, .x.swp.
    if (name.starts_with('.') || is_temporary(name)) return true;
    std::string path = folders_.back().path + std::string(name);
    unsigned char type = entry->d_type;
    struct stat raw {};
    bool have_stat = false;
    if (type == DT_UNKNOWN) {
      if (::fstatat(::dirfd(dir), entry->d_name, &raw, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT) unreadable(path, errno);
        return true;
      }
      have_stat = true;
      type = S_ISREG(raw.st_mode)   ? DT_REG
             : S_ISDIR(raw.st_mode) ? DT_DIR
             : S_ISLNK(raw.st_mode) ? DT_LNK
                                    : DT_FIFO;
    }
    if (type == DT_DIR) {
      enter(entry->d_name, std::move(path));
    } else if (type == DT_LNK) {
      if (!exclude_.matches(path)) links_.push_back(std::move(path));
    } else if (type == DT_REG) {
      regular(dir, entry->d_name, std::move(path), have_stat ? &raw : nullptr);
    } else if (is_note_name(name)) {
      warn(path, "is a FIFO, socket or device, not a note; skipped");
    }
    return true;
  }

  void enter(const char* name, std::string path) {
    if (!options_.include_private && is_private(name)) return;
    if (exclude_.matches(path, true)) return;
    if (folders_.size() >= kMaxFolderDepth) {
      out_.unreadable.push_back(path);
      warn(path, "the folder is nested too deeply; left out");
      return;
    }
    Dir dir = open_folder(::dirfd(folders_.back().dir.get()), name, false);
    if (!dir) {
      if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) unreadable(path, errno);
      return;
    }
    folders_.push_back({std::move(dir), path + "/"});
  }

  void regular(DIR* dir, const char* name, std::string path, const struct stat* known) {
    if (exclude_.matches(path)) return;
    if (!is_note_name(name)) {
      out_.attachments.push_back(std::move(path));
      return;
    }
    if (!include_.empty() && !include_.matches(path)) return;
    struct stat raw {};
    if (known != nullptr) {
      raw = *known;
    } else if (::fstatat(::dirfd(dir), name, &raw, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) unreadable(path, errno);
      return;
    }
    if (!S_ISREG(raw.st_mode)) return;  // it changed under us
    add_file(std::move(path), raw);
  }

  void add_file(std::string path, const struct stat& raw) {
    if (!utf8::is_valid(path)) warn(path, "the file name is not UTF-8");
    out_.files.push_back({std::move(path), from_stat(raw)});
  }

  // Links to files inside the vault that no real path gives: a link named like a note to a
  // file that is not. A link to a folder inside adds nothing, for its files have their own
  // paths; a link to what is hidden, private or outside is never followed.
  void add_linked_files() {
    if (links_.empty()) return;
    const std::unique_ptr<char, decltype(&std::free)> root(::realpath(vault_.c_str(), nullptr),
                                                           &std::free);
    if (!root) return;
    const std::string base =
        std::string(root.get()) + (std::strcmp(root.get(), "/") == 0 ? "" : "/");
    std::set<std::pair<uint64_t, uint64_t>> real;
    for (const ScannedFile& file : out_.files) real.insert({file.stat.device, file.stat.inode});
    std::sort(links_.begin(), links_.end());
    for (std::string& link : links_) add_linked_file(std::move(link), base, real);
  }

  void add_linked_file(std::string link, const std::string& base,
                       std::set<std::pair<uint64_t, uint64_t>>& real) {
    const std::unique_ptr<char, decltype(&std::free)> target(
        ::realpath((base + link).c_str(), nullptr), &std::free);
    if (!target) {
      warn(link, errno == ELOOP ? "a symbolic link that leads to itself; skipped"
                                : "a symbolic link that leads nowhere; skipped");
      return;
    }
    const std::string_view full = target.get();
    if (!full.starts_with(base)) {
      if (std::string(full) + "/" != base)
        warn(link, "a symbolic link out of the vault; not followed");
      return;
    }
    struct stat raw {};
    if (::lstat(target.get(), &raw) != 0 || !S_ISREG(raw.st_mode)) return;
    const std::string_view inside = full.substr(base.size());
    if (is_hidden(inside) || exclude_.matches(inside)) return;
    if (!is_note_name(link)) {
      out_.attachments.push_back(std::move(link));
    } else if ((include_.empty() || include_.matches(link)) &&
               real.insert({raw.st_dev, raw.st_ino}).second) {
      add_file(std::move(link), raw);
    }
  }

  bool is_hidden(std::string_view path) const {
    while (!path.empty()) {
      const size_t slash = std::min(path.find('/'), path.size());
      const std::string_view part = path.substr(0, slash);
      if (part.starts_with('.') || (!options_.include_private && is_private(part))) return true;
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return false;
  }

  void unreadable(std::string path, int number) {
    while (path.ends_with('/')) path.pop_back();
    warn(path, std::string("cannot be read: ") + std::strerror(number));
    out_.unreadable.push_back(std::move(path));
  }
  void warn(const std::string& path, std::string message) {
    out_.warnings.push_back({path, 0, std::move(message)});
  }

  const std::string& vault_;
  const ScanOptions& options_;
  GlobSet include_, exclude_;
  std::vector<Folder> folders_;
  std::vector<std::string> links_;
  bool root_failed_ = false;
  ScanResult out_;
};

}  // namespace

Result<ScanResult> scan(const std::string& vault, const ScanOptions& options) {
  TRY(GlobSet include, GlobSet::compile(options.include, vault));
  TRY(GlobSet exclude, GlobSet::compile(options.exclude, vault));
  return Scanner(vault, options, std::move(include), std::move(exclude)).run();
}

}  // namespace lectern::vault
