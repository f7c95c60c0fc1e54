// HTTP/1.1: POST /v1/ids/{key}, pipelined; replies in JSON with a Content-Length.
#include <nlohmann/json.hpp>

#include <optional>

#include "wire.hpp"

namespace polyflake::load {
namespace {

bool is_same_word(std::string_view left, std::string_view lower) {
  if (left.size() != lower.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const char letter = left[i] >= 'A' && left[i] <= 'Z' ? static_cast<char>(left[i] + ('a' - 'A')) : left[i];
    if (letter != lower[i]) return false;
  }
  return true;
}

// Returns the value of Content-Length. head: all lines, each with its CR LF.
std::size_t content_length(std::string_view head) {
  constexpr std::string_view kName = "content-length";
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && is_same_word(line.substr(0, colon), kName)) {
      const std::size_t begin = line.find_first_not_of(' ', colon + 1);
      return number_of(begin == std::string_view::npos ? "" : line.substr(begin));
    }
    head.remove_prefix(end + 2);
  }
  throw UnreadableReply("a reply of HTTP has no Content-Length");
}

// {"ids":["1","2"]}
void read_ids(std::string_view body, std::vector<std::uint64_t>& ids) {
  constexpr std::string_view kBegin = "{\"ids\":[";
  const UnreadableReply other("a reply of HTTP is not {\"ids\":[\"...\"]}: " + std::string(body.substr(0, 60)));
  if (body.substr(0, kBegin.size()) != kBegin) throw other;
  body.remove_prefix(kBegin.size());
  while (true) {
    const std::size_t end = body.find('"', 1);
    if (body.substr(0, 1) != "\"" || end == std::string_view::npos) throw other;
    ids.push_back(number_of(body.substr(1, end - 1)));
    body.remove_prefix(end + 1);
    if (body.substr(0, 2) == "]}") return;
    if (body.substr(0, 1) != ",") throw other;
    body.remove_prefix(1);
  }
}

std::string code_of(std::string_view status, std::string_view body) {
  const nlohmann::json json = nlohmann::json::parse(body, nullptr, false);
  if (json.is_object() && json.contains("code") && json["code"].is_string()) return json["code"];
  return std::string(status);
}

class HttpWire : public Wire {
 public:
  explicit HttpWire(const Options& options)
      : request_("POST /v1/ids/" + options.key + (options.batch == 0 ? "" : "?n=" + std::to_string(options.batch)) +
                 " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n") {}

  void ask(std::uint32_t, std::string& out) const override { out += request_; }

  Reply read(std::string_view input, std::uint32_t, std::vector<std::uint64_t>& ids) const override {
    constexpr std::string_view kVersion = "HTTP/1.1 ";
    const std::size_t end = input.find("\r\n\r\n");
    if (end == std::string_view::npos) return {};
    if (input.substr(0, kVersion.size()) != kVersion) throw UnreadableReply("a reply of HTTP begins with no HTTP/1.1");
    const std::size_t begin = end + 4;
    const std::size_t length = content_length(input.substr(0, end + 2));
    if (input.size() - begin < length) return {};
    const std::string_view status = input.substr(kVersion.size(), 3);
    const std::string_view body = input.substr(begin, length);
    if (status != "200") return {begin + length, code_of(status, body)};
    read_ids(body, ids);
    return {begin + length, ""};
  }

 private:
  const std::string request_;
};

}  // namespace

std::unique_ptr<Wire> http_wire(const Options& options) { return std::make_unique<HttpWire>(options); }

}  // namespace polyflake::load
