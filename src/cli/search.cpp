// lectern search
#include "cli/commands.h"
#include "cli/views.h"
#include "serve/wire.h"

namespace lectern::cli {

int run_search(const Invocation& invocation, Console& console) {
  auto session = open_session(invocation, console);
  if (!session) return console.fail(session.error());
  auto reply = session->engine.search(invocation.search);
  if (!reply) return console.fail(reply.error());
  reply->warnings.insert(reply->warnings.begin(), session->warnings.begin(),
                         session->warnings.end());
  if (console.json()) {
    console.print_json(serve::to_json(*reply));
  } else {
    console.warn(reply->warnings);
    console.print(view_search(*reply, console.style()));
    if (!reply->degraded.empty()) console.note(view_degraded(reply->degraded));
  }
  if (reply->abstain && reply->abstain->reason == "error") return kError;
  return console.finish(reply->results.empty() || reply->abstain ? kNothing : kFound);
}

}  // namespace lectern::cli
