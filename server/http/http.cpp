#include "http/http.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include "http/http_access.hpp"
#include "http/http_pages.hpp"
#include "ids/service.hpp"
#include "operation/metrics_page.hpp"

namespace polyflake::server {
namespace {

// Request.form: an HttpReply and these.
constexpr std::uint16_t kReply = 0xff;
constexpr std::uint16_t kCloses = 0x100;
constexpr std::uint16_t kSaysKeepAlive = 0x200;
constexpr std::uint16_t kHasNoBody = 0x400;
constexpr std::uint16_t kIsLeafs = 0x800;

std::uint16_t form_of(const HttpMessage& message) {
  unsigned form = 0;
  if (!message.keeps_alive) form |= kCloses;
  if (message.keeps_alive && message.is_http10) form |= kSaysKeepAlive;
  if (message.method == HttpMethod::head) form |= kHasNoBody;
  return static_cast<std::uint16_t>(form);
}

void set_reply(Request& request, HttpReply reply) {
  request.form = static_cast<std::uint16_t>((request.form & ~kReply) | static_cast<unsigned>(reply));
}

HttpReply reply_of(const Request& request) { return static_cast<HttpReply>(request.form & kReply); }

HttpManner manner_of(const Request& request) {
  return {(request.form & kCloses) != 0, (request.form & kSaysKeepAlive) != 0, (request.form & kHasNoBody) != 0};
}

HttpReply reply_of(IdsForm form) {
  switch (form) {
    case IdsForm::lines: return HttpReply::lines;
    case IdsForm::bytes: return HttpReply::bytes;
    case IdsForm::json: break;
  }
  return HttpReply::json;
}

IdsForm ids_form(HttpReply reply) {
  if (reply == HttpReply::lines) return IdsForm::lines;
  return reply == HttpReply::bytes ? IdsForm::bytes : IdsForm::json;
}

// Returns how many ids a client asks for. Errors: HttpRefusal.
std::uint32_t batch_of(const std::string& n, std::uint32_t most) {
  std::uint64_t count = 0;
  try {
    count = id_from_text(n);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::id_out_of_range) {
      throw HttpRefusal(400, "option_invalid", "n is " + polyflake::quoted(n) + "; it is a number, in digits alone");
    }
    count = ~std::uint64_t{0};
  }
  const auto wrong = refusal_of_batch(count, most, polyflake::quoted(n));
  if (wrong) throw HttpRefusal(*wrong);
  return static_cast<std::uint32_t>(count);
}

std::uint64_t after_of(const std::string& after) {
  try {
    return id_from_text(after);
  } catch (const Error& error) {
    throw HttpRefusal(400, error.code_name(), std::string("after: ") + error.what());
  }
}

void check_body(const HttpMessage& message) {
  if (message.has_body)
    throw HttpRefusal(400, "bad_request",
                      "The request has a body, which nothing here reads. Send it without one; parameters belong to "
                      "the query of its path.");
}

}  // namespace

Request Http::read(std::string_view input) {
  Request request;
  try {
    const HttpMessage message = read_message(input);
    request.length = message.length;
    if (message.length == 0) return request;
    request.form = form_of(message);
    request.last = !message.keeps_alive;
    if (service_.draining()) {  // the client's next connection is another server's
      request.form = static_cast<std::uint16_t>((request.form | kCloses) & ~kSaysKeepAlive);
      request.last = true;
    }
    read_request(message, request);
  } catch (HttpRefusal& refusal) {
    refusal_ = std::move(refusal);
    request.queue = nullptr;
    set_reply(request, HttpReply::refusal);
    if (request.length > 0) return request;
    request.length = input.size();
    request.form |= kCloses;
    if (begins_like_head(input)) request.form |= kHasNoBody;
    request.last = true;
  }
  return request;
}

void Http::read_request(const HttpMessage& message, Request& request) {
  const HttpTarget target = split_target(message.target);
  const HttpRoute& route = route_of(target.path, leaf_);
  const bool is_open = gate_ == nullptr || route.needs == HttpNeeds::nothing;
  const Right right = is_open ? Right() : right_to(route, message, *gate_);
  check_method(route, message.method);
  if (!route.is_leafs) check_body(message);
  const HttpValues values = read_query(target.query, route.parameters, route.is_leafs);
  const std::string_view word =
      route.has_word() ? unescaped(target.path.substr(route.path.size()), buffer_) : std::string_view();
  set_reply(request, route.reply == HttpReply::json ? reply_of(message.form) : route.reply);
  switch (route.reply) {
    case HttpReply::json:
    case HttpReply::leaf_id: read_ids(route, word, values, right, request); break;
    case HttpReply::decoded:
      id_ = word;
      layout_ = values[0];
      break;
    case HttpReply::leaf_decoded:
      if (!values[0])
        throw HttpRefusal(400, "option_invalid", "No snowflakeId was given. Send ?snowflakeId= and an id.");
      id_ = *values[0];
      break;
    default: break;
  }
}

void Http::read_ids(const HttpRoute& route, std::string_view word, const HttpValues& values, const Right& right,
                    Request& request) const {
  Queue* queue = nullptr;
  if (!route.is_leafs) queue = service_.queue(word);
  else if (route.is_of_counters) queue = service_.counter(word);
  else queue = service_.generator(word);
  if (queue == nullptr)
    throw HttpRefusal(404, "unknown_key",
                      std::string(route.is_of_counters ? "No counter" : "No generator or counter") + " has the name " +
                          polyflake::quoted(word) + ". GET /v1/generators shows their names.");
  if (gate_ != nullptr) {
    check_key(right, *queue);
    request.rate = right.rate();
  }
  if (route.is_leafs) request.form |= kIsLeafs;
  request.ids = values[0] ? batch_of(*values[0], service_.limits().max_batch) : 1;
  if (values[1]) request.after = after_of(*values[1]);
  request.queue = queue;
}

std::string_view Http::answer(const Request& request, std::string& out) {
  const HttpManner manner = manner_of(request);
  const std::size_t begin = out.size();
  if (reply_of(request) != HttpReply::refusal) {
    try {
      append_answer(reply_of(request), manner, out);
      return "";
    } catch (const HttpRefusal& refusal) {
      refusal_ = refusal;
    } catch (const Error& error) {  // of the id or the layout that the client sent
      refusal_ = {400, error.code_name(), error.what()};
    }
    out.resize(begin);
  }
  if (refusal_.code() == kTokenWrong) gate_->count_wrong_secret();
  append_refusal(refusal_, manner, out);
  return refusal_.code();
}

void Http::append_answer(HttpReply reply, const HttpManner& manner, std::string& out) const {
  switch (reply) {
    case HttpReply::live: return append_page(live_page(), 200, manner, out);
    case HttpReply::ready: return append_page(ready_page(service_), service_.ready() ? 200 : 503, manner, out);
    case HttpReply::generators: return append_page(generators_page(service_), 200, manner, out);
    case HttpReply::metrics: return append_page(metrics_page(service_), 200, manner, out, kTypeOfMetrics);
    case HttpReply::decoded:
      return append_page(decoded_page(layout_ ? Layout(*layout_) : service_.layout_to_decode({}), id_), 200, manner,
                         out);
    case HttpReply::leaf_decoded:
      return append_page(leaf_decoded_page(service_.layout_to_decode({}), id_), 200, manner, out);
    default: return;  // give() and answer() write the others
  }
}

void Http::give(const Request& request, const std::uint64_t* ids, std::string& out) {
  const HttpReply reply = reply_of(request);
  if (reply == HttpReply::leaf_id) append_leaf_id(*ids, manner_of(request), out);
  else append_ids(ids, request.ids, ids_form(reply), manner_of(request), out);
}

void Http::refuse(const Request& request, const Refusal& refusal, std::string& out) {
  const bool is_leafs = (request.form & kIsLeafs) != 0;  // whose clients know 200 and 500 alone
  const unsigned status = is_leafs ? 500 : HttpRefusal::status_of(refusal.kind);
  append_refusal({status, refusal}, manner_of(request), out);
}

void Http::refuse_connection(std::string& out) {
  HttpManner manner;
  manner.closes = true;
  append_refusal({429, "busy",
                  "This server has as many connections as max_connections allows. Try again later, or another server."},
                 manner, out);
}

}  // namespace polyflake::server
