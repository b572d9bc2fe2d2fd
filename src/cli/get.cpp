// lectern get
#include "cli/commands.h"
#include "cli/views.h"
#include "serve/wire.h"

namespace lectern::cli {

namespace {

// "Meeting 10:30" may be a place in a note or a note's name: the place first, as the help
// says, then the name.
Result<GetReply> get_place_or_name(const Engine& engine, const Invocation& invocation) {
  auto reply = engine.get(invocation.get);
  const bool may_be_name = !reply && reply.error().code == ErrorCode::kNotFound &&
                           invocation.get.path != invocation.get_operand;
  if (!may_be_name) return reply;
  GetRequest whole = invocation.get;
  whole.path = invocation.get_operand;
  whole.line_first = whole.line_last = 0;
  auto by_name = engine.get(whole);
  return by_name ? std::move(by_name) : std::move(reply);
}

}  // namespace

int run_get(const Invocation& invocation, Console& console) {
  const auto session = open_session(invocation, console);
  if (!session) return console.fail(session.error());
  auto reply = get_place_or_name(session->engine, invocation);
  if (!reply) return console.fail(reply.error());
  reply->warnings.insert(reply->warnings.begin(), session->warnings.begin(),
                         session->warnings.end());
  if (console.json()) {
    console.print_json(serve::to_json(*reply));
  } else {
    console.warn(reply->warnings);
    console.print(view_get(*reply, console.style()));
  }
  return console.finish(kFound);
}

}  // namespace lectern::cli
