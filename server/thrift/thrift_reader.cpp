#include "thrift/thrift_reader.hpp"

namespace polyflake::server::thrift {
namespace {

// Returns the bytes of each value of this type; 0 if they vary, or Thrift does not have the type.
std::uint64_t width_of(std::uint8_t type) {
  switch (type) {
    case kBool:
    case kByte: return 1;
    case kI16: return 2;
    case kI32: return 4;
    case kDouble:
    case kI64: return 8;
    default: return 0;
  }
}

}  // namespace

FieldHeader Reader::field() {
  const auto type = number<std::uint8_t>();
  if (type == kStop) return {kStop, 0};
  const auto id = number<std::int16_t>();
  return {short_ || wrong_ != nullptr ? std::uint8_t{kStop} : type, id};
}

void Reader::skip(std::uint8_t type, unsigned depth) {
  if (++values_ > kValues) return fail("more than 1000 values");
  if (const std::uint64_t width = width_of(type); width > 0) {
    take(width);
    return;
  }
  if (type == kString) {
    text();
    return;
  }
  if (depth == kDepth) return fail("structs or containers in more than 16 levels");
  switch (type) {
    case kStruct: return skip_struct(depth + 1);
    case kSet:
    case kList: return skip_elements({number<std::uint8_t>()}, depth + 1);
    case kMap: {
      const auto key = number<std::uint8_t>();
      return skip_elements({key, number<std::uint8_t>()}, depth + 1);
    }
    default: return fail("a type that Thrift does not have");
  }
}

void Reader::skip_struct(unsigned depth) {
  for (FieldHeader header = field(); header.type != kStop; header = field()) skip(header.type, depth);
}

// types: those of one element. Elements of fixed width are one value, however many they are.
void Reader::skip_elements(std::initializer_list<std::uint8_t> types, unsigned depth) {
  const std::uint64_t count = length();
  std::uint64_t width = 0;
  bool fixed = true;
  for (const std::uint8_t type : types) {
    width += width_of(type);
    fixed = fixed && width_of(type) > 0;
  }
  if (fixed) {
    take(count * width);
    return;
  }
  if (count > kValues) return fail("more than 1000 values");
  for (std::uint64_t i = 0; i < count && !short_ && wrong_ == nullptr; ++i) {
    for (const std::uint8_t type : types) skip(type, depth);
  }
}

std::uint64_t Reader::length() {
  const auto length = number<std::int32_t>();
  if (length < 0) fail("a negative length");
  return length < 0 ? 0 : static_cast<std::uint64_t>(length);
}

std::string_view Reader::take(std::uint64_t bytes) {
  if (short_ || wrong_ != nullptr) return {};
  if (bytes > kLongest - position_) {
    fail("more than 65536 bytes");
    return {};
  }
  if (bytes > input_.size() - position_) {
    short_ = true;
    return {};
  }
  const std::string_view taken = input_.substr(position_, static_cast<std::size_t>(bytes));
  position_ += taken.size();
  return taken;
}

// A message that is short so far may be whole later: nothing is wrong with it yet.
void Reader::fail(const char* wrong) {
  if (!short_ && wrong_ == nullptr) wrong_ = wrong;
}

}  // namespace polyflake::server::thrift
