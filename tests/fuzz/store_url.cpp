// Addresses of stores: what is taken has a namespace, and neither what is shown nor what is refused shows credentials.
#include "lease/store_url.hpp"

#include <polyflake/worker.hpp>

#include <algorithm>
#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(std::string_view text) {
  lease::StoreUrl url;
  const bool taken = accepts([&] { url = lease::parse_store_url(text); },
                             {ErrorCode::worker_source_invalid, ErrorCode::option_invalid});
  if (!taken) return;
  hold(is_store_address(text), "what is taken is an address");
  hold(!url.wanted.name.empty() && url.wanted.name.size() <= 64, "it has a namespace");
  hold(url.shown.find('@') == std::string::npos, "credentials are not shown");
  hold(url.shown.size() <= text.size() + 12, "what is shown is a part of the address");
  const std::string parameters = '&' + url.client.substr(std::min(url.client.find('?'), url.client.size() - 1) + 1);
  hold(parameters.find("&namespace=") == std::string::npos, "our parameters are not the client's");
  // What the client gets is in its one form: with a namespace again, it comes to the same.
  const std::string again = url.client + (url.client.find('?') == std::string::npos ? '?' : '&') + "namespace=n";
  if (again.size() <= 2048)
    hold(lease::parse_store_url(again).client == url.client, "the client's part stays as it is");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
