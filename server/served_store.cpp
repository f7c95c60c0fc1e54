#include "served_store.hpp"

#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/redis_carrier.hpp>

namespace polyflake::server {
namespace {

constexpr std::string_view kServedKinds[] = {"redis"};

void check_kind(const lease::StoreUrl& url) {
  std::string served;
  for (const std::string_view kind : kServedKinds) {
    if (url.kind == kind) return;
    served += (served.empty() ? "" : ", ") + std::string(kind);
  }
  throw Error(ErrorCode::worker_source_invalid, url.shown + ": this server reaches no store of the kind " +
                                                    polyflake::quoted(url.kind) + "; it has: " + served);
}

}  // namespace

lease::StoreUrl served_store(const Section& section, std::string_view key, const std::string& address) {
  return section.checked(key, [&] {
    lease::StoreUrl url = lease::parse_store_url(address);
    check_kind(url);
    RedisCarrier carrier(url.client);  // reads the client's part, and connects at its first command
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
