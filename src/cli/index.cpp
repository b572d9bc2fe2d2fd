// lectern index
#include "cli/commands.h"
#include "cli/views.h"
#include "serve/wire.h"

namespace lectern::cli {

int run_index(const Invocation& invocation, Console& console) {
  auto session = open_session(invocation, console);
  if (!session) return console.fail(session.error());
  const InterruptFlag interrupt;
  auto report = session->engine.index(invocation.index, console.progress(), interrupt.flag());
  console.end_progress();
  if (!report) {
    Error error = std::move(report).error();
    if (error.code == ErrorCode::kCancelled && error.hint.empty()) {
      error.hint = "what was read is kept";
    }
    return console.fail(error);
  }
  report->warnings.insert(report->warnings.begin(), session->warnings.begin(),
                          session->warnings.end());
  if (console.json()) {
    console.print_json(serve::to_json(*report));
  } else {
    console.warn_briefly(report->warnings);
    if (!invocation.quiet) console.print(view_index(*report, console.style()));
  }
  return console.finish(kFound);
}

}  // namespace lectern::cli
