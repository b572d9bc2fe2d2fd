// Evaluation sets: corpus.jsonl + questions.jsonl of a folder, and the vault they become.
//
// A document becomes the note `<id made file-safe>.md` holding `# title`, a blank line and
// the text. Where questions name a `vault` (locomo), the documents whose id starts with
// that name stand in a folder of that name and the question is asked with that folder as
// its filter. Nothing of the sets is kept: the notes go into a temporary folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lectern/engine.h"
#include "lectern/result.h"

namespace lectern::bench {

struct EvalQuestion {
  std::string id, text;
  std::string folder;                 // filter; empty: the whole vault
  std::vector<std::string> gold;      // document ids; empty when unanswerable
  std::vector<std::string> answers;   // strings that a right answer's evidence holds
  std::vector<std::string> evidence;  // sentences that hold the answer, where the set has them
  bool answerable = false;
};

struct EvalSet {
  std::string name;
  std::vector<EvalQuestion> questions;
  std::map<std::string, std::string> id_of_path;  // vault-relative note -> document id
};

// Name of a set: a folder under `data` ("squad2"), or "questions@corpus" to ask the questions
// of one over the documents of another ("xquad/ru@xquad/en"). Writes the notes into `vault`,
// which must not exist yet. Errors: kNotFound, kConfig (a line that is not the expected JSON).
Result<EvalSet> load_set(const std::string& data, const std::string& name,
                         const std::string& vault);

// A folder under the system's temporary folder that goes away with the object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path);
  std::string path_;
};

// An indexed evaluation set: its engine works as long as the object lives.
struct IndexedSet {
  TemporaryFolder folder;
  EvalSet set;
  Engine engine;
  double index_seconds = 0;
};
Result<IndexedSet> index_set(const std::string& data, const std::string& name);

}  // namespace lectern::bench
