// Records of leases, as ZooKeeper and etcd keep them: what is taken prints back to the same text.
#include "lease/record.hpp"

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

template <class Take>
void run(std::string_view text, const lease::FieldNames& names, const Take& take) {
  const auto fields = lease::parse(names, text);
  if (!fields) return;
  hold(lease::print(names, *fields) == text, "fields print back to their text");
  const auto record = take(*fields);
  if (record) hold(lease::fields_of(*record) == *fields, "a record has the fields it was taken from");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = polyflake::fuzz::text_of(data, size);
  polyflake::fuzz::run(text, polyflake::lease::namespace_fields(), polyflake::lease::namespace_of);
  polyflake::fuzz::run(text, polyflake::lease::node_fields(), polyflake::lease::node_of);
  return 0;
}
