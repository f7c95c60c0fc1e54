// The worker parameter: its spellings as an argument and in the environment, and the ordinal of a host name.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "open/ordinal_node.hpp"
#include "system.hpp"

namespace polyflake {
namespace {

static_assert(!std::is_constructible_v<Worker, bool>);
static_assert(!std::is_constructible_v<Worker, double>);
static_assert(std::is_constructible_v<Worker, unsigned short>);

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { test::set_variable(name, value); }
  ~Variable() { test::unset_variable(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

std::uint64_t node_of(const Worker& worker, const Layout& layout = "polyflake") {
  Options options;
  options.worker = worker;
  options.layout = layout;
  options.clock = std::make_shared<ManualClock>(1'767'225'600'000);
  return Generator(options).worker();
}

TEST(Workers, sources_are_read_in_their_one_spelling) {
  const test::FreshHome home;
  EXPECT_EQ(node_of("host"), 0U);
  EXPECT_EQ(node_of("host:7"), 7U);
  EXPECT_ERROR(node_of("host:1024"), field_out_of_range);
  EXPECT_ERROR(node_of("host:18446744073709551615"), field_out_of_range);
  for (const char* text : {"",
                           "Host",
                           "host ",
                           " host",
                           "host:",
                           "host:07",
                           "host:-1",
                           "host:+1",
                           "host: 1",
                           "host:1 ",
                           "host:18446744073709551616",
                           "host:7:8",
                           "host:N",
                           "7",
                           "0",
                           "-1",
                           "1.0",
                           "ordinal:",
                           "ordinal:1",
                           "redis",
                           "host\n"}) {
    EXPECT_ERROR(node_of(text), worker_source_invalid);
  }
}

TEST(Workers, a_refused_source_is_shown_with_what_may_be_given) {
  const auto message_of = [](const char* text) -> std::string {
    try {
      node_of(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string known = "worker source 'hosts': use a node id, one number per node field, \"host\", \"host:N\"";
  EXPECT_EQ(message_of("hosts").substr(0, known.size()), known);
  EXPECT_EQ(message_of("7"), "worker source '7': a static node id is passed as a number, not as text");
  EXPECT_EQ(message_of("host:x"), "after \"host:\" stands a node id in canonical decimal, e.g. \"host:7\", not 'x'");
}

std::uint64_t node_in_environment(const char* text, const Layout& layout = "polyflake") {
  const Variable variable("POLYFLAKE_WORKER", text);
  return node_of(Worker(), layout);
}

TEST(Workers, numbers_are_text_only_in_the_environment) {
  EXPECT_EQ(node_in_environment("7"), 7U);
  for (const char* text : {"", " ", "07", "-1", "7 ", "0x7", "1e3", "1_000", "\xd9\xa1", "hosts"}) {
    EXPECT_ERROR(node_in_environment(text), worker_source_invalid);
  }
}

TEST(Workers, fields_in_the_environment_are_an_object_of_whole_numbers) {
  EXPECT_EQ(node_in_environment("{\"datacenter\": 1, \"worker\": 7}", "twitter"), 39U);
  EXPECT_EQ(node_in_environment("{\"worker\":7,\"datacenter\":1}", "twitter"), 39U);
  for (const char* text :
       {"{", "{}", "{\"worker\"}", "{\"worker\":}", "{\"worker\":7", "{\"worker\":7}}", "{\"worker\":7}x",
        "{\"worker\":07}", "{\"worker\":-7}", "{\"worker\":7.0}", "{\"worker\":\"7\"}", "{worker:7}", "{\"worker\":7,}",
        "{\"worker\":7,\"worker\":7}", "{\"worker\":9223372036854775808}"}) {
    EXPECT_ERROR(node_in_environment(text), worker_source_invalid);
  }
}

TEST(Workers, the_environment_decides_when_nothing_was_given) {
  const Variable variable("POLYFLAKE_WORKER", "31");
  EXPECT_EQ(node_of(Worker()), 31U);
  EXPECT_EQ(node_of(Worker(5)), 5U);
}

TEST(Workers, an_empty_or_oversized_environment_is_refused) {
  {
    const Variable variable("POLYFLAKE_WORKER", "");
    EXPECT_ERROR(node_of(Worker()), worker_source_invalid);
  }
  const Variable variable("POLYFLAKE_WORKER", "1024");
  EXPECT_ERROR(node_of(Worker()), field_out_of_range);
}

TEST(Workers, host_is_the_default) {
  const test::FreshHome home;
  EXPECT_EQ(node_of(Worker()), 0U);
}

TEST(Workers, unsigned_numbers_beyond_the_signed_range_do_not_become_negative_or_small) {
  EXPECT_ERROR(node_of(Worker(UINT64_MAX)), field_out_of_range);
  EXPECT_ERROR(node_of(Worker(std::uint64_t{1} << 63)), field_out_of_range);
  EXPECT_ERROR(node_of(Worker(INT64_MIN)), field_out_of_range);
}

TEST(Workers, fields_are_given_all_or_none) {
  EXPECT_EQ(node_of(Worker::Fields{{"datacenter", 1}, {"worker", 7}}, "twitter"), 39U);
  EXPECT_ERROR(node_of(Worker::Fields{{"worker", 7}}, "twitter"), worker_source_invalid);
  EXPECT_ERROR(node_of(Worker::Fields{{"datacenter", 1}, {"worker", 7}, {"rack", 1}}, "twitter"), unknown_field);
  EXPECT_ERROR(node_of(Worker::Fields{{"datacenter", 32}, {"worker", 7}}, "twitter"), field_out_of_range);
}

TEST(Workers, a_layout_without_node_fields_has_node_0_alone) {
  EXPECT_EQ(node_of(Worker(0), "mastodon"), 0U);
  EXPECT_ERROR(node_of(Worker(1), "mastodon"), field_out_of_range);
}

TEST(Ordinals, are_the_number_behind_the_last_dash) {
  EXPECT_EQ(ordinal_of("web-0", 0), 0U);
  EXPECT_EQ(ordinal_of("my-app-12", 100), 112U);
  for (const char* name :
       {"", "web", "web-", "web-01", "web-a", "web-1 ", "web--", "web-1-x", "web-99999999999999999999"}) {
    EXPECT_ERROR(ordinal_of(name, 0), worker_source_invalid);
  }
  EXPECT_ERROR(ordinal_of("web-1", UINT64_MAX), worker_source_invalid);
}

TEST(Ordinals, come_from_this_host_and_a_base_in_canonical_decimal) {
  const Variable base("POLYFLAKE_ORDINAL_BASE", "0x1");
  EXPECT_ERROR(node_of(Worker("ordinal")), worker_source_invalid);
}

}  // namespace
}  // namespace polyflake
