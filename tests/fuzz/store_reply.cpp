// Replies of stores: whatever rows come, a dialect understands them or says that it does not.
//
// Input: the kind of store, then rows that end with \x1e, of fields that end with \x1f; a field \x15 is none. A row
// \x1d ends a reply, so that those after it answer what is asked next.
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
  const auto dialect =
      lease::make_dialect(fuzz::kKinds[data[0] % std::size(fuzz::kKinds)], "n", "", lease::Placeholder::question);
  fuzz::run(*dialect, fuzz::replies_in(fuzz::text_of(data + 1, size - 1)));
  return 0;
}
