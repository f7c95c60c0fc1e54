#include "facade/codec.hpp"

#include <optional>

#include "facade/many.hpp"

namespace polyflake::facade {
namespace {

polyflake::Codec named(const std::string& name, std::optional<std::int64_t> width, bool check) {
  CodecOptions options;
  options.width = width;
  options.check = check;
  return polyflake::Codec::named(name, options);
}

}  // namespace

Codec::Codec(const std::string& name, bool check) : codec_(named(name, {}, check)) {}

Codec::Codec(const std::string& name, std::int64_t width, bool check) : codec_(named(name, width, check)) {}

std::string Codec::encode(std::uint64_t id) const { return codec_.encode(id); }

std::uint64_t Codec::decode(const std::string& text) const { return codec_.decode(text); }

std::vector<std::string> Codec::encode_many(const std::vector<std::uint64_t>& ids) const {
  return all_of<std::string>(ids, "id", [this](std::uint64_t id) { return codec_.encode(id); });
}

std::size_t Codec::encode_one_of(const std::vector<std::uint64_t>& ids, std::size_t i, char* text) const {
  return one_of(i, "id", [&] { return codec_.encode(ids[i], text); });
}

std::vector<std::uint64_t> Codec::decode_many(const std::vector<std::string>& texts) const {
  return all_of<std::uint64_t>(texts, "text", [this](const std::string& text) { return codec_.decode(text); });
}

std::string Codec::name() const { return codec_.name(); }

std::string Codec::digits() const { return std::string(codec_.digits()); }

int Codec::width() const { return codec_.width(); }

bool Codec::check() const { return codec_.check(); }

}  // namespace polyflake::facade
