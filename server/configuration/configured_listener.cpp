#include "configuration/configured_listener.hpp"

#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <boost/asio/ip/address.hpp>

#include "configuration/configured_tls.hpp"

namespace polyflake::server {
namespace {

using Ip = boost::asio::ip::address;

constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kPassed = "systemd:";
constexpr char kAddresses[] =
    "a number and a port, as in 127.0.0.1:7600 or [::1]:7600, localhost:7600, unix:/run/polyflake/ids.sock, or systemd:NAME";

[[noreturn]] void refuse_address(const Section& section, const std::string& message) {
  section.refuse("address", message + "; an address is " + kAddresses);
}

std::uint16_t port_of(const Section& section, std::string_view digits) {
  std::uint16_t port = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool whole = !digits.empty() && read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  if (!whole) refuse_address(section, "port " + polyflake::quoted(digits) + " is not a number of 0 to 65535");
  return port;
}

Ip ip_of(const Section& section, std::string_view host) {
  if (host == "localhost") return boost::asio::ip::address_v4::loopback();
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const std::string number(bracketed ? host.substr(1, host.size() - 2) : host);
  boost::system::error_code wrong;
  const Ip ip = boost::asio::ip::make_address(number, wrong);
  if (wrong || ip.is_v6() != bracketed) {
    refuse_address(section, "host " + polyflake::quoted(host) + " is neither localhost nor a numeric address");
  }
  return ip;
}

void set_tcp(const Section& section, const std::string& address, ListenerConfiguration& listener) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) refuse_address(section, "a port is missing");
  const Ip ip = ip_of(section, std::string_view(address).substr(0, colon));
  listener.host = ip.to_string();
  listener.port = port_of(section, std::string_view(address).substr(colon + 1));
  if (ip.is_loopback() || listener.may_be_reached()) return;
  section.refuse("address", "other hosts reach " + listener.host + kNeedsTls);
}

void set_unix(const Section& section, const std::string& path, ListenerConfiguration& listener) {
  if (path.empty() || path.front() != '/' || path.back() == '/') {
    refuse_address(section, "behind unix: the absolute path of the socket is needed");
  }
  if (path.size() > kLongestPath) {
    section.refuse("address", "the path of a Unix socket has at most " + std::to_string(kLongestPath) +
                                  " bytes, and this one " + std::to_string(path.size()));
  }
  listener.path = path;
}

// The file itself is read by TokenFiles.
void set_tokens(const Section& section, ListenerConfiguration& listener) {
  listener.tokens = section.absolute_path("tokens");
  if (!listener.tokens.empty() && listener.protocol == ListenerConfiguration::Protocol::thrift) {
    section.refuse("tokens", "calls of Thrift have no place for one; leave the key out");
  }
}

void set_passed(const Section& section, const std::string& name, ListenerConfiguration& listener) {
  constexpr std::size_t kLongestPassed = 255;  // of FileDescriptorName=
  if (name.empty() || name.size() > kLongestPassed || name.find(':') != std::string::npos) {
    refuse_address(section, "behind systemd: the name of a passed socket is needed, 1 to 255 bytes without a colon");
  }
  listener.passed = name;
}

constexpr struct {
  ListenerConfiguration::Protocol protocol;
  const char* name;
} kProtocols[] = {{ListenerConfiguration::Protocol::resp, "resp"},
                  {ListenerConfiguration::Protocol::http, "http"},
                  {ListenerConfiguration::Protocol::thrift, "thrift"}};

ListenerConfiguration::Protocol configured_protocol(const Section& section) {
  const std::string name = section.needed_text("protocol");
  for (const auto& known : kProtocols) {
    if (name == known.name) return known.protocol;
  }
  section.refuse("protocol",
                 polyflake::quoted(name) + " is not a protocol; it may be \"resp\", \"http\" or \"thrift\"");
}

}  // namespace

const char* name_of(ListenerConfiguration::Protocol protocol) noexcept {
  for (const auto& known : kProtocols) {
    if (protocol == known.protocol) return known.name;
  }
  return "";
}

ListenerConfiguration read_listener(const Section& section) {
  ListenerConfiguration listener{};
  listener.protocol = configured_protocol(section);
  listener.insecure = section.flag("insecure");
  listener.tls = read_tls(section, listener.protocol);
  const std::string address = section.needed_text("address");
  if (address.compare(0, kUnix.size(), kUnix) == 0) set_unix(section, address.substr(kUnix.size()), listener);
  else if (address.compare(0, kPassed.size(), kPassed) == 0) {
    set_passed(section, address.substr(kPassed.size()), listener);
  } else {
    set_tcp(section, address, listener);
  }
  listener.leaf = section.flag("leaf");
  if (listener.leaf && listener.protocol != ListenerConfiguration::Protocol::http) {
    section.refuse("leaf", "its paths are paths of HTTP; write protocol = \"http\", or leave the key out");
  }
  listener.generator = section.text("generator").value_or("");
  if (section.find("generator") != nullptr && listener.protocol != ListenerConfiguration::Protocol::thrift) {
    section.refuse("generator", "requests of this protocol name their generator; leave the key out");
  }
  set_tokens(section, listener);
  return listener;
}

std::string address_of(const ListenerConfiguration& listener) {
  if (!listener.passed.empty()) return std::string(kPassed) + listener.passed;
  if (!listener.path.empty())
    return std::string(kUnix) + std::filesystem::path(listener.path).lexically_normal().string();
  const bool is_ipv6 = listener.host.find(':') != std::string::npos;
  return (is_ipv6 ? '[' + listener.host + ']' : listener.host) + ':' + std::to_string(listener.port);
}

}  // namespace polyflake::server
