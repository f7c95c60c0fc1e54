// Addresses of stores: which parameters are ours, what is refused, and what is never shown.
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "expect_error.hpp"
#include "lease/store_url.hpp"

namespace polyflake::lease {
namespace {

using test::error_of;

TEST(StoreUrls, are_those_of_the_schemes) {
  const std::pair<const char*, const char*> kinds[] = {
      {"redis", "redis"}, {"rediss", "redis"}, {"redis+sentinel", "redis"},  {"zookeeper", "zookeeper"},
      {"etcd", "etcd"},   {"etcds", "etcd"},   {"postgresql", "postgresql"}, {"mysql", "mysql"}};
  for (const auto& [scheme, kind] : kinds) {
    const std::string url = std::string(scheme) + "://h/0?namespace=n";
    EXPECT_TRUE(is_store_address(url)) << url;
    EXPECT_EQ(parse_store_url(url).kind, kind);
  }
  for (const char* const other :
       {"", "redis", "redis:", "redis:/h", "Redis://h", " redis://h", "http://h", "host:7", "://"}) {
    EXPECT_EQ(is_store_address(other), std::string_view(other).find("://") != std::string_view::npos) << other;
    EXPECT_ERROR(parse_store_url(other), worker_source_invalid);
  }
}

TEST(StoreUrls, keep_what_belongs_to_the_client) {
  const StoreUrl url = parse_store_url("redis://u:p@h:1/2?ssl=1&namespace=orders&window_ms=4000&a=b=c&flag&x=");
  EXPECT_EQ(url.client, "redis://u:p@h:1/2?ssl=1&a=b=c&flag&x=");
  EXPECT_EQ(url.wanted.name, "orders");
  EXPECT_EQ(url.wanted.options.window_ms, 4000);
  EXPECT_EQ(parse_store_url("etcd://h?namespace=n").client, "etcd://h");
}

TEST(StoreUrls, of_a_server_alone_have_no_namespace) {
  const StoreUrl url = parse_server_url("mysql://u:p@h:1/d?ssl=1&charset=utf8");
  EXPECT_EQ(url.client, "mysql://u:p@h:1/d?ssl=1&charset=utf8");
  EXPECT_EQ(url.shown, "mysql://h:1/d");
  for (const char* const parameter : {"namespace=n", "window_ms=4000", "schema=s", "label=1"}) {
    EXPECT_ERROR(parse_server_url(std::string("mysql://h/d?") + parameter), option_invalid);
  }
  EXPECT_ERROR(parse_server_url("h"), worker_source_invalid);
}

TEST(StoreUrls, have_parameters_of_leases) {
  const std::string uuid = "0123456789abcdef0123456789abcdef";
  const LeaseOptions options =
      parse_store_url("mysql://h/d?namespace=n&uuid=" + uuid +
                      "&auto_init=1&window_ms=1&tolerance_ms=2&acquire_timeout_ms=3&renew_wait_ms=0&label=0")
          .wanted.options;
  EXPECT_EQ(options.uuid, uuid);
  EXPECT_EQ(options.auto_init, LeaseOptions::AutoInit::yes);
  EXPECT_EQ(options.window_ms, 1);
  EXPECT_EQ(options.tolerance_ms, 2);
  EXPECT_EQ(options.acquire_timeout_ms, 3);
  EXPECT_EQ(options.renew_wait_ms, 0);
  EXPECT_FALSE(options.label);
}

TEST(StoreUrls, refuse_values_that_are_none) {
  for (const char* const parameter : {"namespace=",
                                      "namespace=A",
                                      "namespace=-a",
                                      "namespace=a/b",
                                      "namespace=%61",
                                      "namespace=a%20b",
                                      "uuid=",
                                      "uuid=1",
                                      "uuid=0123456789ABCDEF0123456789abcdef",
                                      "auto_init=",
                                      "auto_init=2",
                                      "auto_init=yes",
                                      "auto_init=Fresh",
                                      "auto_init=fresh",
                                      "window_ms=",
                                      "window_ms=-1",
                                      "window_ms=1s",
                                      "window_ms=01",
                                      "window_ms=2147483648",
                                      "tolerance_ms=x",
                                      "acquire_timeout_ms=1e3",
                                      "renew_wait_ms=+1",
                                      "label=",
                                      "label=true",
                                      "label=2",
                                      "schema=",
                                      "schema=a.b",
                                      "schema=a%22b",
                                      "schema=a\"b",
                                      "schema=a`b",
                                      "Schema=a"}) {
    EXPECT_ERROR(parse_store_url("postgresql://h?namespace=n&" + std::string(parameter)), option_invalid);
  }
  EXPECT_ERROR(parse_store_url("postgresql://h?namespace=n&schema=" + std::string(64, 'a')), option_invalid);
  EXPECT_ERROR(parse_store_url("redis://h?namespace=" + std::string(65, 'a')), option_invalid);
  EXPECT_EQ(parse_store_url("redis://h?namespace=" + std::string(64, 'a')).wanted.name.size(), 64U);
}

// One that is left in an address would vouch for a store that was flushed.
TEST(StoreUrls, never_vouch_for_a_namespace) {
  const std::string failure = error_of([] { parse_store_url("redis://h?namespace=n&auto_init=fresh"); });
  EXPECT_EQ(test::code_in(failure), "option_invalid");
  EXPECT_NE(failure.find("init_namespace(fresh=True)"), std::string::npos) << failure;
}

TEST(StoreUrls, have_a_number_for_a_path_where_they_are_of_redis) {
  for (const char* const address :
       {"redis://h", "redis://h/", "redis://h:1/15", "rediss://u:p/x@h/3", "redis+sentinel://h:1,i:2/mymaster",
        "redis+sentinel://u:p@h/my-master/", "redis+sentinel://h/mymaster/7"}) {
    EXPECT_EQ(parse_store_url(std::string(address) + "?namespace=n").client, address);
  }
  for (const char* const address :
       {"redis://h/hunter2", "redis://h:1/1/2", "redis://h/1/", "redis://h/-1", "redis://h/01", "redis://h/%31",
        "redis://h//1", "rediss://h/2147483648", "redis+sentinel://h/mymaster/x", "redis+sentinel://h/mymaster/0/0"}) {
    const std::string url = std::string(address) + "?namespace=n";
    EXPECT_ERROR(parse_store_url(url), worker_source_invalid);
    EXPECT_EQ(error_of([&] { parse_store_url(url); }).find("hunter2"), std::string::npos);
  }
  EXPECT_EQ(parse_store_url("postgresql://h/orders?namespace=n").client, "postgresql://h/orders");
}

TEST(StoreUrls, name_server_and_database_once) {
  for (const char* const twice : {"redis://h/0?namespace=n&db=2", "redis://h?namespace=n&DB=2",
                                  "redis://h?namespace=n&d%62=2", "redis://h?namespace=n&keyPrefix=x",
                                  "postgresql://h/a?namespace=n&dbname=b", "postgresql://h/a?namespace=n&PGDBNAME=b",
                                  "postgresql:///a?namespace=n&database=b", "postgresql://h/a?namespace=n&service=b",
                                  "mysql://h/a?namespace=n&database=b", "postgresql://h/a?namespace=n&host=i",
                                  "postgresql://u:p@h/a?namespace=n&port=1", "mysql://h?namespace=n&unix_socket=s"}) {
    EXPECT_ERROR(parse_store_url(twice), option_invalid);
  }
  EXPECT_EQ(parse_store_url("postgresql:///a?namespace=n&host=/run").client, "postgresql:///a?host=/run");
  for (const char* const path : {"/%61pp", "//app", "/app/", "/a//b", "//"}) {
    EXPECT_ERROR(parse_store_url(std::string("zookeeper://h1,h2") + path + "?namespace=n"), worker_source_invalid);
  }
  for (const char* const path : {"", "/", "/app", "/a/b"}) {
    EXPECT_EQ(parse_store_url(std::string("zookeeper://h1,h2") + path + "?namespace=n").client,
              std::string("zookeeper://h1,h2") + path);
  }
}

TEST(StoreUrls, have_no_parameters_that_nobody_reads) {
  for (const char* const address :
       {"zookeeper://h/a?namespace=n&timeout=3", "etcd://h?namespace=n&cacert=/ca.pem", "memory://a?namespace=n&b=c",
        "etcds://h?namespace=n&ca=/ca.pem", "etcds://h?namespace=n&cert=/a&insecure", "etcds://h?key&=1&namespace=n"}) {
    EXPECT_ERROR(parse_store_url(address), option_invalid);
  }
  EXPECT_EQ(parse_store_url("etcds://h?key=/k&namespace=n&cert=/c&cacert=/ca").client,
            "etcds://h?key=/k&cert=/c&cacert=/ca");
  EXPECT_EQ(parse_store_url("redis://h/0?&namespace=n&&protocol=3&").client, "redis://h/0?protocol=3");
  EXPECT_EQ(parse_store_url("etcd://h?namespace=n&&label=0").client, "etcd://h");
}

TEST(StoreUrls, have_a_schema_where_they_are_of_databases) {
  for (const char* const address : {"postgresql://h/d", "mysql://h/d"}) {
    const std::string url = std::string(address) + "?namespace=n";
    EXPECT_EQ(parse_store_url(url).wanted.schema, "");
    EXPECT_EQ(parse_store_url(url + "&schema=Sales-1_a").wanted.schema, "Sales-1_a");
    EXPECT_EQ(parse_store_url(url + "&schema=a&x=y").client, std::string(address) + "?x=y");
  }
  EXPECT_ERROR(parse_store_url("postgresql://h?namespace=n&schema=pg_temp"), option_invalid);
  EXPECT_EQ(parse_store_url("mysql://h?namespace=n&schema=pg_copy").wanted.schema, "pg_copy");
  for (const char* const address : {"redis://h", "zookeeper://h", "etcd://h"}) {
    EXPECT_ERROR(parse_store_url(std::string(address) + "?namespace=n&schema=a"), option_invalid);
  }
}

TEST(StoreUrls, of_a_scheme_like_one_of_ours_are_told_which) {
  const std::pair<const char*, const char*> schemes[] = {{"postgres", "postgresql"},
                                                         {"postgresql+psycopg", "postgresql"},
                                                         {"jdbc:postgresql", "postgresql"},
                                                         {"mysql+pymysql", "mysql"},
                                                         {"jdbc:mysql", "mysql"},
                                                         {"zookeper", "zookeeper"},
                                                         {"redis+sentinell", "redis"},
                                                         {"Redis", "redis"},
                                                         {"etcd3", "etcd"}};
  for (const auto& [scheme, meant] : schemes) {
    const std::string url = std::string(scheme) + "://user:secret@h/d?namespace=n";
    const std::string failure = error_of([&] { parse_store_url(url); });
    EXPECT_NE(failure.find(std::string("did you mean ") + meant + "://?"), std::string::npos) << failure;
    EXPECT_EQ(failure.find("secret"), std::string::npos) << failure;
  }
  EXPECT_EQ(error_of([] { parse_store_url("http://h?namespace=n"); }).find("mean"), std::string::npos);
}

TEST(StoreUrls, refuse_parameters_given_twice) {
  EXPECT_ERROR(parse_store_url("redis://h?namespace=a&namespace=b"), option_invalid);
  EXPECT_ERROR(parse_store_url("redis://h?namespace=a&label=0&label=0"), option_invalid);
}

TEST(StoreUrls, need_a_namespace) {
  for (const char* const url :
       {"redis://h", "redis://h?", "redis://u:?x@h?namespace=n", "redis://h h?namespace=n", "redis://h?namespace=n\n",
        "redis://\xc3\xa4?namespace=n", "redis://h?x=@&namespace=n", "redis://h?x=namespace=a"}) {
    EXPECT_ERROR(parse_store_url(url), worker_source_invalid);
  }
  EXPECT_ERROR(parse_store_url("redis://h/" + std::string(2048, 'a') + "?namespace=a"), worker_source_invalid);
}

TEST(StoreUrls, never_show_credentials) {
  const std::vector<std::string> urls = {
      "redis://user:secret@h:1/0?namespace=n", "redis://:secret@h?namespace=n", "redis://secret@h?namespace=n",
      "redis://user:p@secret@h?namespace=n", "redis://user:p/secret@h?namespace=n",
      "redis://h?password=secret&namespace=n", "redis://user:p#secret@h?namespace=n",
      "zookeeper://user:secret@h1,h2,h3/chroot?namespace=n", "postgresql://h/d?user=u&password=secret&namespace=n",
      // Without an '@'.
      "redis://user:secret?namespace=n", "redis://user:secret/0?namespace=n", "postgresql://user:secret/d?namespace=n",
      "mysql://h/user:secret?namespace=n", "etcd://h;password=secret?namespace=n",
      "zookeeper://user:secret,h2/a?namespace=n", "postgresql://h/d%20password%3Dsecret?namespace=n",
      // Those that are refused.
      "redis://user:secret", "memory://user:secret?namespace=n", "redis://user:secret@h",
      "redis://secret?x@h&namespace=n", "redis://user:secret@h?namespace=A",
      "redis://user:secret@h?namespace=n&window_ms=x", "rediss:/user:secret@h?namespace=n",
      "redis://user:p?secret@h?namespace=n&x=@", "redis://user:p&label=secret@h?namespace=n",
      "redis://u:?namespace=secret@h?namespace=n", "redis://u:?label=secret@h?namespace=n",
      "redis://user:" + std::string(3000, 'a') + "secret@h?namespace=n"};
  for (const std::string& url : urls) {
    std::string shown;
    const std::string failure = error_of([&] { shown = parse_store_url(url).shown; });
    EXPECT_EQ((shown + failure).find("secret"), std::string::npos) << url << " is shown as " << shown << failure;
  }
  EXPECT_EQ(parse_store_url("redis://u:p@h:1/0?namespace=n&x=y").shown, "redis://h:1/0?namespace=n");
  EXPECT_EQ(parse_store_url("redis://u:p?namespace=n").shown, "redis://...?namespace=n");
  EXPECT_EQ(parse_store_url("mysql://u:p@h/a%20b?namespace=n").shown, "mysql://h/...?namespace=n");
  const std::string plain =
      "etcd://[fd00::1]:2379,orders-cache.abcdef.ng.0001.euw1.cache.amazonaws.com:6379?namespace=n";
  EXPECT_EQ(parse_store_url(plain).shown, plain);
  EXPECT_EQ(parse_store_url("zookeeper://h1:1,h2:2/a?namespace=n").shown, "zookeeper://h1:1,h2:2/a?namespace=n");
}

TEST(StoreUrls, go_together_with_the_layout) {
  LeaseOptions options;
  const Layout seconds("timestamp:40 worker:10 sequence:1 tick=1s epoch=2020-01-01T00:00:00.000Z");
  options.window_ms = 2999;
  EXPECT_ERROR(settings_for(options, seconds, ""), option_invalid);
  options.window_ms = 3000;
  EXPECT_EQ(settings_for(options, seconds, "").window_ms, 3000);
  options.tolerance_ms = 3000;
  EXPECT_ERROR(settings_for(options, seconds, ""), option_invalid);
  options = {};
  options.uuid = "x";
  EXPECT_ERROR(settings_for(options, seconds, ""), option_invalid);
  options = {};
  options.label = false;
  EXPECT_EQ(settings_for(options, seconds, "host/1").label, "");
}

TEST(StoreUrls, refuse_other_spellings_of_parameters_that_are_ours) {
  for (const char* const other : {"windowMs=5", "Window_ms=5", "auto-init=1", "NAMESPACE=orders"}) {
    EXPECT_ERROR(parse_store_url(std::string("redis://h?namespace=orders&") + other), option_invalid);
  }
  EXPECT_EQ(parse_store_url("redis://h?namespace=orders&window=5").client, "redis://h?window=5");
}

}  // namespace
}  // namespace polyflake::lease
