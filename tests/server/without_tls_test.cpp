#include <gtest/gtest.h>

#include <string>

#include "network/tls.hpp"

namespace polyflake::server {
namespace {

TEST(WithoutTls, a_listener_with_a_certificate_is_refused_and_the_text_says_what_to_do) {
  try {
    open_tls({"/certificate.pem", "/key.pem", ""}, false);
    FAIL() << "there is no TLS";
  } catch (const TlsError& error) {
    EXPECT_EQ(error.key(), "certificate");
    EXPECT_NE(std::string(error.what()).find("-DPOLYFLAKE_SERVER_TLS=ON"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polyflake::server
