#include "thrift/thrift.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <polyflake/error.hpp>

#include "ids/service.hpp"
#include "thrift/thrift_reader.hpp"

namespace polyflake::server {
namespace thrift {

// The arguments of any method of the service; those that a method does not have are dropped.
struct Arguments {
  std::optional<std::string_view> useragent;
  std::optional<std::int32_t> n;
  int mistyped = 0;  // the first argument of another type; 0: none is
};

}  // namespace thrift

namespace {

using thrift::Arguments;
using thrift::Reader;

constexpr std::uint32_t kVersion = 0x80010000;
constexpr std::size_t kWord = 4;

// Types of messages.
constexpr std::uint16_t kCall = 1, kReplyTo = 2, kException = 3, kOnewayCall = 4;

// Types of TApplicationException.
constexpr std::int32_t kUnknownMethod = 1, kInvalidMessageType = 2, kInternalError = 6, kProtocolError = 7;

// Request::form: an index of kMethods, and these.
constexpr std::string_view kMethods[] = {"get_worker_id", "get_datacenter_id", "get_timestamp", "get_id", "get_ids"};
constexpr std::uint16_t kWorker = 0, kDatacenter = 1, kTimestamp = 2, kId = 3, kIds = 4;
constexpr std::uint16_t kFault = 0x10, kFramed = 0x20, kOneway = 0x40;
constexpr std::uint16_t kMethod = 0x0f;

std::string_view method_of(const Request& request) { return kMethods[request.form & kMethod]; }

// Returns true if these bytes begin a message that is not framed.
bool begins_message(std::string_view bytes) { return (Reader(bytes).number<std::uint32_t>() & 0xffff0000) == kVersion; }

Arguments read_arguments(Reader& reader) {
  Arguments arguments;
  for (auto field = reader.field(); field.type != thrift::kStop; field = reader.field()) {
    if (field.id == 1 && field.type == thrift::kString) {
      arguments.useragent = reader.text();
    } else if (field.id == 2 && field.type == thrift::kI32) {
      arguments.n = reader.number<std::int32_t>();
    } else {
      if (field.id == 1 || (field.id == 2 && arguments.mistyped == 0)) arguments.mistyped = field.id;
      reader.skip(field.type);
    }
  }
  return arguments;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Twitter's rule: [a-zA-Z][a-zA-Z\-0-9]*
bool is_user_agent(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || c == '-' || (c >= '0' && c <= '9');
  });
}

template <class Integer>
void append(std::string& out, Integer value) {
  char bytes[sizeof value];
  for (std::size_t i = 0; i < sizeof value; ++i) {
    bytes[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * (sizeof value - 1 - i) & 0xff);
  }
  out.append(bytes, sizeof value);
}

void append_text(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

void append_field(std::string& out, thrift::Type type, std::int16_t id) {
  append(out, static_cast<std::uint8_t>(type));
  append(out, id);
}

// Appends a message whose struct has the fields that `fields` appends.
template <class Fields>
void append_message(std::string& out, const Request& request, std::uint16_t type, std::string_view method,
                    Fields fields) {
  const std::size_t begin = out.size();
  if ((request.form & kFramed) != 0) append(out, std::uint32_t{0});
  append(out, kVersion | type);
  append_text(out, method);
  append(out, request.tag);
  fields();
  append(out, static_cast<std::uint8_t>(thrift::kStop));
  if ((request.form & kFramed) == 0) return;
  std::string length;
  append(length, static_cast<std::uint32_t>(out.size() - begin - kWord));
  out.replace(begin, kWord, length);
}

void append_exception(std::string& out, const Request& request, std::string_view method, std::int32_t type,
                      std::string_view message) {
  append_message(out, request, kException, method, [&] {
    append_field(out, thrift::kString, 1);
    append_text(out, message);
    append_field(out, thrift::kI32, 2);
    append(out, type);
  });
}

void append_i64(std::string& out, const Request& request, std::int64_t value) {
  append_message(out, request, kReplyTo, method_of(request), [&] {
    append_field(out, thrift::kI64, 0);
    append(out, value);
  });
}

std::string in_words(const Refusal& refusal) { return refusal.code + ": " + refusal.message; }

}  // namespace

Thrift::Thrift(const Service& service, Queue& queue, NowMs now_ms)
    : service_(service), queue_(queue), now_ms_(now_ms) {}

Request Thrift::read(std::string_view input) {
  if (input.size() < kWord) return {};
  if (begins_message(input)) return read_message(Reader(input), 0);

  const std::uint64_t end = kWord + std::uint64_t{Reader(input).number<std::uint32_t>()};
  const bool is_frame = end >= 2 * kWord && end <= Reader::kLongest;
  if (!is_frame || (input.size() >= 2 * kWord && !begins_message(input.substr(kWord)))) {
    Request request;
    request.form = kFramed;
    request.length = kWord;
    return misread(request, "",
                   "neither the version word 0x80010000 nor the length of a frame, at most 65532, before it");
  }
  if (input.size() < end) return {};
  return read_message(Reader(input.substr(0, static_cast<std::size_t>(end)), kWord), kFramed);
}

Request Thrift::read_message(Reader reader, std::uint16_t form) {
  Request request;
  const auto type = static_cast<std::uint16_t>(reader.number<std::uint32_t>() & 0xffff);
  const std::string_view method = reader.text();
  request.tag = reader.number<std::int32_t>();
  const Arguments arguments = read_arguments(reader);
  if (reader.is_short() && form != kFramed) return {};

  request.length = reader.position();
  request.form = static_cast<std::uint16_t>(form | (type == kOnewayCall ? kOneway : 0));
  if (reader.wrong() != nullptr) return misread(request, method, reader.wrong());
  if (reader.is_short()) return misread(request, method, "a frame that ends before its message");
  if (form == kFramed && !reader.at_end()) return misread(request, method, "a frame that goes on after its message");

  if (type == kCall) {
    read_call(request, method, arguments);
  } else if (type != kOnewayCall) {
    fault(request, method, kInvalidMessageType,
          "message type " + std::to_string(type) + ": a server takes calls (1) and oneway calls (4)");
  }
  return request;
}

void Thrift::read_call(Request& request, std::string_view method, const Arguments& arguments) {
  const auto* const found = std::find(std::begin(kMethods), std::end(kMethods), method);
  if (found == std::end(kMethods)) {
    return fault(request, method, kUnknownMethod,
                 "no method " + polyflake::quoted(method) +
                     ": call get_id, get_ids, get_worker_id, get_datacenter_id or get_timestamp",
                 "not_found");
  }
  const auto index = static_cast<std::uint16_t>(found - std::begin(kMethods));
  request.form = static_cast<std::uint16_t>(request.form | index);
  if (index != kId && index != kIds) return;

  const auto refused = [&](std::string message) {
    fault(request, method, kInternalError, in_words(bad_request(std::move(message))));
  };
  if (arguments.mistyped == 1 || (arguments.mistyped == 2 && index == kIds)) {
    return fault(
        request, method, kProtocolError,
        "argument " + std::to_string(arguments.mistyped) +
            " has another type: pass (1: string useragent) to get_id, (1: string useragent, 2: i32 n) to get_ids");
  }
  if (!is_user_agent(arguments.useragent.value_or(""))) {
    return refused(
        (arguments.useragent ? "user agent " + polyflake::quoted(*arguments.useragent) : std::string("no user agent")) +
        ": pass the name of your program, a letter, then letters, digits and hyphens");
  }
  const std::int32_t n = index == kId ? 1 : arguments.n.value_or(0);
  const auto count = static_cast<std::uint64_t>(std::max(n, 0));
  const auto wrong = refusal_of_batch(count, service_.limits().max_batch, std::to_string(n));
  if (wrong) return fault(request, method, kInternalError, in_words(*wrong), wrong->code);
  request.ids = static_cast<std::uint32_t>(n);
  request.queue = &queue_;
}

// The last request of a connection. method: as far as it was read.
Request Thrift::misread(Request request, std::string_view method, const std::string& what) {
  request.last = true;
  fault(request, method, kProtocolError,
        "this is no message of Thrift's strict binary protocol: it has " + what +
            "; use TBinaryProtocol with strict writing, framed or not");
  return request;
}

void Thrift::fault(Request& request, std::string_view method, std::int32_t type, std::string message,
                   std::string_view code) {
  request.form = static_cast<std::uint16_t>(request.form | kFault);
  fault_ = {std::string(method), type, std::move(message), std::string(code)};
}

std::string_view Thrift::answer(const Request& request, std::string& out) {
  const bool is_fault = (request.form & kFault) != 0;
  if ((request.form & kOneway) != 0) return is_fault ? std::string_view(fault_.code) : "";
  if (is_fault) {
    append_exception(out, request, fault_.method, fault_.type, fault_.message);
    return fault_.code;
  }
  switch (request.form & kMethod) {
    case kWorker: return answer_field(request, "worker", out);
    case kDatacenter: return answer_field(request, "datacenter", out);
    case kTimestamp: append_i64(out, request, now_ms_()); return "";
    default: return "";  // give() answers it
  }
}

std::string_view Thrift::answer_field(const Request& request, std::string_view field, std::string& out) {
  const Layout* const layout = queue_.source().layout();
  const std::vector<Field> fields = layout == nullptr ? std::vector<Field>{} : layout->node_fields();
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& one) { return one.name == field; });
  if (found == fields.end()) {
    refuse(request,
           bad_request("node ids of generator " + polyflake::quoted(queue_.name()) + " have no field " +
                       polyflake::quoted(field) + ": the layout `twitter` has it"),
           out);
    return "bad_request";
  }
  const Source::State state = queue_.source().state();
  if (state.node < 0) {
    fault_.code = state.code.empty() ? "lease_lost" : state.code;
    refuse(request,
           {Refusal::Kind::unavailable, fault_.code,
            "the generator has no node id at present: ask again later, or another server"},
           out);
    return fault_.code;
  }
  const Parts parts = layout->unpack(layout->node_bits(static_cast<std::uint64_t>(state.node)));
  append_i64(out, request, parts.fields[static_cast<std::size_t>(found - fields.begin())]);
  return "";
}

void Thrift::give(const Request& request, const std::uint64_t* ids, std::string& out) {
  if ((request.form & kMethod) == kId) return append_i64(out, request, static_cast<std::int64_t>(*ids));
  append_message(out, request, kReplyTo, method_of(request), [&] {
    append_field(out, thrift::kList, 0);
    append(out, static_cast<std::uint8_t>(thrift::kI64));
    append(out, request.ids);
    for (std::uint32_t i = 0; i < request.ids; ++i) append(out, ids[i]);
  });
}

void Thrift::refuse(const Request& request, const Refusal& refusal, std::string& out) {
  if ((request.form & kOneway) != 0) return;
  const std::string_view method = (request.form & kFault) != 0 ? std::string_view(fault_.method) : method_of(request);
  append_exception(out, request, method, kInternalError, in_words(refusal));
}

// That of get_ids for one.
std::size_t Thrift::bytes_per_id() const { return 40; }

void Thrift::refuse_connection(std::string& out) {
  Request request;
  request.form = kFramed;
  append_exception(out, request, "", kInternalError,
                   in_words(busy("this server has as many connections as it may: ask again later, or another server")));
}

}  // namespace polyflake::server
