// The client's side of Thrift's strict binary protocol, written by hand: calls as bytes, and replies
// read from them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake::server::thrift_test {

// --- calls ---------------------------------------------------------------------------------------

inline std::string big_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  while (bytes-- > 0) text += static_cast<char>(value >> 8 * bytes & 0xff);
  return text;
}

inline std::string i32(std::int64_t value) { return big_endian(static_cast<std::uint64_t>(value), 4); }
inline std::string text(std::string_view value) {
  return i32(static_cast<std::int64_t>(value.size())) + std::string(value);
}
inline std::string field(unsigned type, int id, const std::string& value) {
  return big_endian(type, 1) + big_endian(static_cast<std::uint64_t>(id), 2) + value;
}
inline const std::string kEnd(1, '\0');

inline std::string message(std::uint32_t type, std::string_view method, std::int32_t seqid, const std::string& fields) {
  return big_endian(0x80010000U | type, 4) + text(method) + i32(seqid) + fields + kEnd;
}
inline std::string call(std::string_view method, const std::string& fields = "", std::int32_t seqid = 1) {
  return message(1, method, seqid, fields);
}
inline std::string get_id(std::string_view user_agent = "test", std::int32_t seqid = 1) {
  return call("get_id", field(11, 1, text(user_agent)), seqid);
}
inline std::string get_ids(std::int64_t n, std::string_view user_agent = "test", std::int32_t seqid = 1) {
  return call("get_ids", field(11, 1, text(user_agent)) + field(8, 2, i32(n)), seqid);
}
inline std::string framed(const std::string& message) { return text(message); }

// --- replies -------------------------------------------------------------------------------------

struct Reply {
  bool is_framed = false;
  std::uint32_t type = 0;  // 2: a reply; 3: an exception
  std::string method;
  std::int32_t seqid = 0;
  std::vector<std::int64_t> values;  // of a reply
  bool is_list = false;
  std::string text;         // of an exception
  std::int32_t reason = 0;  // its type
};

// Reads replies. Errors: std::runtime_error, if a byte is not as expected.
class Replies {
 public:
  explicit Replies(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  Reply next() {
    Reply reply;
    auto word = static_cast<std::uint32_t>(number(4));
    std::size_t after = 0;  // bytes behind its frame
    if (word < 0x80000000U) {
      reply.is_framed = true;
      if (word > bytes_.size()) throw std::runtime_error("a frame is not whole");
      after = bytes_.size() - word;
      word = static_cast<std::uint32_t>(number(4));
    }
    reply.type = word & 0xffU;
    expect((word & 0xffffff00U) == 0x80010000U, "the version word");
    reply.method = text();
    reply.seqid = static_cast<std::int32_t>(number(4));
    if (reply.type == 3) read_exception(reply);
    else read_result(reply);
    expect(number(1) == 0, "the end of a struct");
    expect(!reply.is_framed || bytes_.size() == after, "the end of a frame");
    return reply;
  }

 private:
  static void expect(bool fact, const char* what) {
    if (!fact) throw std::runtime_error(std::string("not found: ") + what);
  }
  std::string_view take(std::size_t size) {
    expect(size <= bytes_.size(), "enough bytes");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const char c : take(size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::string text() { return std::string(take(number(4))); }
  void read_exception(Reply& reply) {
    expect(number(3) == 0x0b0001, "field 1, a string");
    reply.text = text();
    expect(number(3) == 0x080002, "field 2, an i32");
    reply.reason = static_cast<std::int32_t>(number(4));
  }
  void read_result(Reply& reply) {
    expect(reply.type == 2, "a type of a reply");
    const std::uint64_t header = number(3);
    reply.is_list = header == 0x0f0000;
    expect(reply.is_list || header == 0x0a0000, "field 0, an i64 or a list");
    expect(!reply.is_list || number(1) == 10, "elements that are i64");
    const std::uint64_t count = reply.is_list ? number(4) : 1;
    for (std::uint64_t i = 0; i < count; ++i) reply.values.push_back(static_cast<std::int64_t>(number(8)));
  }

  std::string_view bytes_;
};

inline std::vector<Reply> replies_in(std::string_view bytes) {
  std::vector<Reply> all;
  for (Replies rest(bytes); !rest.at_end();) all.push_back(rest.next());
  return all;
}

}  // namespace polyflake::server::thrift_test
