// RESP: INCR, or POLYFLAKE.NEXT for batches. The same requests that redis-benchmark would send.
#include <optional>

#include "wire.hpp"

namespace polyflake::load {
namespace {

std::string command(std::initializer_list<std::string_view> words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words) {
    text.append("$").append(std::to_string(word.size())).append("\r\n").append(word).append("\r\n");
  }
  return text;
}

// Reads a reply from its beginning. Each function returns nothing if the input ends before.
class Reader {
 public:
  explicit Reader(std::string_view input) : input_(input) {}

  std::size_t position() const { return position_; }

  std::optional<std::string_view> line() {
    const std::size_t end = input_.find('\n', position_);
    if (end == std::string_view::npos) return std::nullopt;
    if (end == position_ || input_[end - 1] != '\r') throw UnreadableReply("a line of a reply ends without CR");
    const std::string_view found = input_.substr(position_, end - 1 - position_);
    position_ = end + 1;
    return found;
  }

  // An id: an integer, or a bulk string of digits.
  std::optional<std::uint64_t> id(std::string_view head) {
    if (head.size() > 1 && head[0] == ':') return number_of(head.substr(1));
    if (head.size() < 2 || head[0] != '$') {
      throw UnreadableReply("a reply begins with '" + std::string(head.substr(0, 40)) + "', which is no id");
    }
    const std::optional<std::string_view> digits = line();
    if (!digits) return std::nullopt;
    if (digits->size() != number_of(head.substr(1))) throw UnreadableReply("a bulk string has another length");
    return number_of(*digits);
  }

 private:
  const std::string_view input_;
  std::size_t position_ = 0;
};

// "-POLYFLAKE busy ..." has the code "busy", "-ERR unknown command" the code "ERR".
std::string code_of(std::string_view error) {
  constexpr std::string_view kOurs = "POLYFLAKE ";
  if (error.substr(0, kOurs.size()) == kOurs) error.remove_prefix(kOurs.size());
  return std::string(error.substr(0, error.find(' ')));
}

class RespWire : public Wire {
 public:
  explicit RespWire(const Options& options)
      : request_(options.batch == 0 ? command({"INCR", options.key})
                                    : command({"POLYFLAKE.NEXT", options.key, std::to_string(options.batch)})) {}

  void ask(std::uint32_t, std::string& out) const override { out += request_; }

  Reply read(std::string_view input, std::uint32_t, std::vector<std::uint64_t>& ids) const override {
    Reader reader(input);
    const std::optional<std::string_view> head = reader.line();
    if (!head) return {};
    if (head->substr(0, 1) == "-") return {reader.position(), code_of(head->substr(1))};
    const bool many = head->substr(0, 1) == "*";
    const std::size_t before = ids.size();
    const std::uint64_t count = many ? number_of(head->substr(1)) : 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::optional<std::string_view> item = many ? reader.line() : head;
      const std::optional<std::uint64_t> id = item ? reader.id(*item) : std::nullopt;
      if (!id) {
        ids.resize(before);
        return {};
      }
      ids.push_back(*id);
    }
    return {reader.position(), ""};
  }

 private:
  const std::string request_;
};

}  // namespace

std::unique_ptr<Wire> resp_wire(const Options& options) { return std::make_unique<RespWire>(options); }

}  // namespace polyflake::load
