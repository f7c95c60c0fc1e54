#include "facade/hashids.hpp"

namespace polyflake::facade {

std::string hashids_alphabet() { return std::string(polyflake::Hashids::kAlphabet); }

Hashids::Hashids(const std::string& salt, std::int64_t min_length, const std::string& alphabet)
    : hashids_(salt, min_length, alphabet) {}

std::string Hashids::encode(const std::vector<std::uint64_t>& ids) const { return hashids_.encode(ids); }

std::vector<std::uint64_t> Hashids::decode(const std::string& text) const { return hashids_.decode(text); }

std::string Hashids::alphabet() const { return hashids_.alphabet(); }

int Hashids::min_length() const { return hashids_.min_length(); }

}  // namespace polyflake::facade
