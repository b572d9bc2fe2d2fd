// lectern status
#include "cli/commands.h"
#include "cli/views.h"
#include "serve/wire.h"

namespace lectern::cli {

int run_status(const Invocation& invocation, Console& console) {
  const auto session = open_session(invocation, console);
  if (!session) return console.fail(session.error());
  const auto reply = session->engine.status();
  if (!reply) return console.fail(reply.error());
  if (console.json()) {
    console.print_json(serve::to_json(*reply));
  } else {
    console.warn(session->warnings);
    console.print(view_status(*reply, console.style()));
  }
  return console.finish(kFound);
}

}  // namespace lectern::cli
