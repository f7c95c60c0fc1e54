#include "facade/sqids.hpp"

namespace polyflake::facade {
namespace {

polyflake::SqidsOptions options(const std::string& alphabet, std::int64_t min_length, bool own_blocklist,
                                const std::vector<std::string>& blocklist) {
  polyflake::SqidsOptions options;
  options.alphabet = alphabet;
  options.min_length = min_length;
  if (own_blocklist) options.blocklist = blocklist;
  return options;
}

}  // namespace

std::string sqids_alphabet() { return polyflake::SqidsOptions().alphabet; }

std::vector<std::string> default_blocklist() { return polyflake::Sqids::default_blocklist(); }

Sqids::Sqids(const std::string& alphabet, std::int64_t min_length, bool own_blocklist,
             const std::vector<std::string>& blocklist)
    : sqids_(options(alphabet, min_length, own_blocklist, blocklist)) {}

std::string Sqids::encode(const std::vector<std::uint64_t>& ids) const { return sqids_.encode(ids); }

std::vector<std::uint64_t> Sqids::decode(const std::string& text) const { return sqids_.decode(text); }

std::string Sqids::alphabet() const { return sqids_.alphabet(); }

int Sqids::min_length() const { return sqids_.min_length(); }

}  // namespace polyflake::facade
