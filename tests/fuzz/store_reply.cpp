// Replies of stores, for leases and for counters: a dialect understands rows, or says that it does
// not.
//
// Input: the kind of store, for a counter 5 more, for the names of counters 15, then rows that end with \x1e, of fields that end
// with \x1f; a field \x15 is none. A row \x1d ends a reply, so that those after it answer what is
// asked next.
#include "count/dialect.hpp"
#include "lease/dialect.hpp"

#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

constexpr const char* kKinds[] = {"redis", "postgresql", "mysql", "zookeeper", "etcd"};
constexpr char kNone = '\x15', kReplyEnds = '\x1d', kRowEnds = '\x1e', kFieldEnds = '\x1f';

std::vector<lease::Reply> replies_in(std::string_view text) {
  std::vector<lease::Reply> replies(1);
  lease::Row row;
  std::string field;
  for (const char c : text) {
    if (c == kFieldEnds) {
      const bool is_none = field == std::string(1, kNone);
      row.push_back(is_none ? std::nullopt : std::optional(field));
      field.clear();
    } else if (c == kRowEnds) {
      replies.back().push_back(std::exchange(row, {}));
    } else if (c == kReplyEnds) {
      replies.emplace_back();
    } else {
      field += c;
    }
  }
  return replies;
}

lease::Cas creation() {
  lease::Cas cas;
  cas.echo = {1, 2};
  cas.incarnation = "a:1";  // that of the seeds
  cas.space_nonce = lease::Word{3, 4};
  cas.space.emplace().window_ms = 10'000;
  cas.node = 7;
  return cas;
}

lease::Cas renewal() {
  lease::Cas cas;
  cas.echo = {1, 2};
  cas.incarnation = "a:1";  // that of the seeds
  cas.node = 7;
  cas.node_nonce = lease::Word{5, 6};
  return cas;
}

count::Write write(std::size_t number) {
  const auto conditioned = [](auto request) {
    request.counter = "orders";
    request.echo = {1, 2};
    request.uuid = {3, 4};
    request.term = {5, 6};
    request.incarnation = "a:1";  // that of the seeds
    return request;
  };
  if (number % 4 == 0) {
    auto add = conditioned(count::Add{});
    add.until_ms = std::int64_t{1} << 53;
    add.n = 10;
    return add;
  }
  if (number % 4 == 1) {
    auto back = conditioned(count::Back{});
    back.nonce = {7, 8};
    back.n = 5;
    return back;
  }
  auto head = conditioned(count::WriteHead{});
  if (number % 4 == 2) head.head_nonce = lease::Word{9, 10};
  head.record.head.kind = "segment";
  head.record.head.top = head.record.head.rate = 1'000'000;
  head.sets_next = number % 8 < 4;
  return head;
}

// The same for a counter.
void run(count::Dialect& dialect, const std::vector<lease::Reply>& replies) {
  dialect.begin_read();
  std::size_t number = 0;  // of the request; the even ones are reads
  for (const lease::Reply& reply : replies) {
    bool more = false;
    const bool understood = accepts(
        [&] {
          more = number % 2 == 0 ? std::holds_alternative<lease::Command>(dialect.read_replied(reply))
                                 : std::holds_alternative<lease::Command>(dialect.write_replied(reply));
        },
        {ErrorCode::store_unavailable});
    if (understood && more) continue;
    ++number;
    if (number % 2 == 0) dialect.begin_read();
    else dialect.begin(write(number / 2 + replies.size()));
  }
}

// The same for the names of counters.
void ask_for_names(count::Dialect& dialect, const std::vector<lease::Reply>& replies) {
  dialect.begin_names();
  for (const lease::Reply& reply : replies) {
    bool more = false;
    const bool understood =
        accepts([&] { more = std::holds_alternative<lease::Command>(dialect.names_replied(reply)); },
                {ErrorCode::store_unavailable});
    if (!understood || !more) dialect.begin_names();
  }
}

// Everything that is asked is answered by these replies, each once.
void run(lease::Dialect& dialect, const std::vector<lease::Reply>& replies) {
  dialect.begin(lease::Read{{7, 8}});
  bool reading = true;
  for (const lease::Reply& reply : replies) {
    bool more = false;
    const bool understood = accepts(
        [&] {
          if (reading) {
            const auto came = dialect.read_replied(reply);
            more = std::holds_alternative<lease::Command>(came);
          } else {
            const auto came = dialect.cas_replied(reply);
            more = std::holds_alternative<lease::Command>(came);
          }
        },
        {ErrorCode::store_unavailable});
    if (understood && more) continue;
    reading = !reading;
    if (reading) {
      dialect.begin(lease::Read{});
    } else {
      dialect.begin(replies.size() % 2 == 0 ? creation() : renewal());
    }
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polyflake;  // NOLINT
  if (size == 0) return 0;
  constexpr std::size_t kKinds = std::size(fuzz::kKinds);
  const char* const kind = fuzz::kKinds[data[0] % kKinds];
  const auto replies = fuzz::replies_in(fuzz::text_of(data + 1, size - 1));
  const bool of_a_counter = data[0] / kKinds % 2 == 1, of_names = data[0] / kKinds % 4 == 3;
  const auto counter = count::make_dialect(kind, {"n", "orders", "", lease::Placeholder::question});
  if (of_names) fuzz::ask_for_names(*counter, replies);
  else if (of_a_counter) fuzz::run(*counter, replies);
  else fuzz::run(*lease::make_dialect(kind, "n", "", lease::Placeholder::question), replies);
  return 0;
}
