#include "configuration/served_store.hpp"

#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>

#include "ids/store_carrier.hpp"

namespace polyflake::server {

lease::StoreUrl served_store(const Section& section, std::string_view key, const std::string& address) {
  return section.checked(key, [&] {
    lease::StoreUrl url = lease::parse_store_url(address);
    store_carrier(url);  // reads the client's part
    return url;
  });
}

void check_lease(const Section& section, std::string_view key, const LeaseOptions& options, const Layout& layout) {
  section.checked(key, [&] {
    // The core checks them when it makes a namespace: one in memory is made and forgotten.
    LeaseOptions any = options;
    any.uuid.clear();
    MemoryStore forgotten;
    init_namespace(forgotten, layout, any);
  });
}

}  // namespace polyflake::server
