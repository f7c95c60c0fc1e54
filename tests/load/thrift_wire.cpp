// Thrift: get_id, or get_ids for batches, in the strict binary protocol, framed or not.
//
// Source: thrift-binary-protocol.md of Apache Thrift.
#include <optional>

#include "wire.hpp"

namespace polyflake::load {
namespace {

constexpr std::uint32_t kVersion = 0x80010000;
enum Message : std::uint32_t { kCall = 1, kReply = 2, kException = 3 };
enum Type : std::uint8_t { kStop = 0, kI32 = 8, kI64 = 10, kString = 11, kList = 15 };
constexpr std::string_view kField1String("\x0b\x00\x01", 3);
constexpr std::string_view kField2I32("\x08\x00\x02", 3);

void append_u32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void append_text(std::string& out, std::string_view text) {
  append_u32(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

// Thrown where the input ends within a value.
struct NotWhole {};

class Reader {
 public:
  explicit Reader(std::string_view input) : input_(input) {}

  std::size_t position() const { return position_; }

  std::uint64_t integer(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char byte : take(bytes)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(integer(4)); }
  std::string_view text() { return take(u32()); }

 private:
  std::string_view take(std::size_t bytes) {
    if (input_.size() - position_ < bytes) throw NotWhole();
    position_ += bytes;
    return input_.substr(position_ - bytes, bytes);
  }

  const std::string_view input_;
  std::size_t position_ = 0;
};

// Reads the fields of a result or of an exception. Returns the text of the latter.
std::string_view read_fields(Reader& reader, std::vector<std::uint64_t>& ids) {
  std::string_view message;
  while (true) {
    const std::uint64_t type = reader.integer(1);
    if (type == kStop) return message;
    reader.integer(2);  // the field's number: types are enough here
    switch (type) {
      case kI64: ids.push_back(reader.integer(8)); break;
      case kI32: reader.u32(); break;
      case kString: message = reader.text(); break;
      case kList: {
        if (reader.integer(1) != kI64) throw UnreadableReply("a list of Thrift has no i64");
        const std::uint32_t count = reader.u32();
        for (std::uint32_t i = 0; i < count; ++i) ids.push_back(reader.integer(8));
        break;
      }
      default: throw UnreadableReply("a field of Thrift has the type " + std::to_string(type));
    }
  }
}

class ThriftWire : public Wire {
 public:
  explicit ThriftWire(const Options& options)
      : framed_(options.framed), method_(options.batch == 0 ? "get_id" : "get_ids") {
    arguments_ = kField1String;
    append_text(arguments_, options.key);
    if (options.batch != 0) {
      arguments_ += kField2I32;
      append_u32(arguments_, options.batch);
    }
    arguments_ += static_cast<char>(kStop);
  }

  void ask(std::uint32_t number, std::string& out) const override {
    if (framed_) append_u32(out, static_cast<std::uint32_t>(4 + 4 + method_.size() + 4 + arguments_.size()));
    append_u32(out, kVersion | kCall);
    append_text(out, method_);
    append_u32(out, number);
    out += arguments_;
  }

  Reply read(std::string_view input, std::uint32_t expected, std::vector<std::uint64_t>& ids) const override {
    const std::size_t before = ids.size();
    try {
      return read_whole(input, expected, ids);
    } catch (const NotWhole&) {
      ids.resize(before);
      return {};
    }
  }

 private:
  Reply read_whole(std::string_view input, std::uint32_t expected, std::vector<std::uint64_t>& ids) const {
    Reader reader(input);
    const std::size_t frame = framed_ ? reader.u32() : 0;
    const std::uint32_t version = reader.u32();
    if (version != (kVersion | kReply) && version != (kVersion | kException)) {
      throw UnreadableReply("a reply of Thrift is neither a reply nor an exception of the strict binary protocol");
    }
    const bool failed = version == (kVersion | kException);
    if (reader.text() != method_) throw UnreadableReply("a reply of Thrift is to another method than " + method_);
    if (reader.u32() != expected) throw UnreadableReply("replies of Thrift come in another order than requests");
    const std::string_view message = read_fields(reader, ids);
    if (framed_ && reader.position() != 4 + frame) throw UnreadableReply("a frame of Thrift has another length");
    if (!failed) return {reader.position(), ""};
    const std::size_t code = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    return {reader.position(), code == 0 ? "exception" : std::string(message.substr(0, code))};
  }

  const bool framed_;
  const std::string method_;
  std::string arguments_;
};

}  // namespace

std::unique_ptr<Wire> thrift_wire(const Options& options) { return std::make_unique<ThriftWire>(options); }

}  // namespace polyflake::load
