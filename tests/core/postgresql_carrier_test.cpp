// Leases of C++ in a real PostgreSQL: only what is special to it. carrier_contract_test.cpp and
// carrier_connections_test.cpp have the rest, which all stores share.
#include <polyflake/polyflake.hpp>
#include <polyflake/postgresql_carrier.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "expect_error.hpp"
#include "tested_leases.hpp"
#include "tested_store.hpp"

namespace polyflake::test {

const TestedStore kTestedStore{
    "postgresql",
    "postgresql",
    300,
    [](const std::string& address) -> std::shared_ptr<Carrier> { return std::make_shared<PostgreSqlCarrier>(address); },
    {"statements", {{"SELECT 1"}}},
    true};

namespace {

using lease::Reply;
using lease::Row;

std::string address() { return address_of("postgresql"); }

Reply ask(Carrier& carrier, const std::string& name, const std::vector<std::string>& statements) {
  lease::Command command{name, {}};
  for (const std::string& statement : statements) command.parts.push_back({statement});
  return carrier.carry(command, kLongMs);
}

std::string code_of(Carrier& carrier, const std::string& name, const std::vector<std::string>& statements) {
  try {
    ask(carrier, name, statements);
  } catch (const lease::CommandFailure& failure) {
    return failure.code();
  }
  return "none";
}

// postgresql://user:password@host:port/database
std::string with_login(const std::string& login) {
  return "postgresql://" + login + address().substr(address().find('@'));
}

TEST(PostgreSqlStores, give_rows_of_the_last_statement_that_has_some) {
  PostgreSqlCarrier carrier(address());
  EXPECT_EQ(ask(carrier, "statements", {"SELECT 1, NULL, 'a'"}), (Reply{Row{"1", std::nullopt, "a"}}));
  EXPECT_EQ(ask(carrier, "statements", {"SELECT 2", "SELECT generate_series(1, 3)"}), (Reply{{"1"}, {"2"}, {"3"}}));
  EXPECT_EQ(ask(carrier, "statements", {""}), Reply{});
  EXPECT_EQ(ask(carrier, "transaction", {"SET LOCAL lock_timeout = 2000; SELECT 5"}), (Reply{{"5"}}));
  const std::string large(std::size_t{4} << 20, 'x');
  EXPECT_EQ(ask(carrier, "statements", {"SELECT '" + large + "'"}), (Reply{{large}}));
}

TEST(PostgreSqlStores, carry_out_a_transaction_or_nothing_of_it) {
  PostgreSqlCarrier carrier(address());
  ask(carrier, "statements", {"CREATE TABLE whole (a int)"});
  EXPECT_EQ(code_of(carrier, "transaction", {"INSERT INTO whole VALUES (1); SELECT 1 / 0"}), "22012");
  EXPECT_EQ(ask(carrier, "statements", {"SELECT * FROM whole"}), Reply{});
  EXPECT_EQ(code_of(carrier, "transaction", {"INSERT INTO whole VALUES (1); SELECT * FROM nowhere"}), "42P01");
  EXPECT_EQ(code_of(carrier, "statements", {"INSERT INTO whole VALUES (2)", "SELECT * FROM nowhere"}), "42P01");
  EXPECT_EQ(ask(carrier, "statements", {"SELECT * FROM whole"}), (Reply{{"2"}}));
  EXPECT_NE(code_of(carrier, "statements", {"COPY whole TO STDOUT"}), "none");
  EXPECT_NE(code_of(carrier, "statements", {"COPY whole FROM STDIN"}), "none");
  EXPECT_EQ(ask(carrier, "statements", {"SELECT * FROM whole"}), (Reply{{"2"}}));
}

// A commit that no standby confirmed succeeds with a warning.
TEST(PostgreSqlStores, take_a_warning_of_a_transaction_for_a_failure) {
  PostgreSqlCarrier carrier(address());
  const std::string warns = "DO $$ BEGIN RAISE WARNING 'canceling wait'; END $$";
  EXPECT_EQ(code_of(carrier, "statements", {warns}), "none");
  EXPECT_EQ(code_of(carrier, "transaction", {"SELECT 1"}), "none") << "that was before";
  EXPECT_EQ(code_of(carrier, "transaction", {"SELECT 1; " + warns}), "01000");
  EXPECT_EQ(code_of(carrier, "transaction", {"SELECT 1"}), "none");
}

TEST(PostgreSqlStores, tell_what_refused_them_without_the_password) {
  struct {
    std::string address, code, advice;
  } const wrong[] = {
      {with_login("polyflake:hunter2"), "28P01", "refused this user and password"},
      {with_login("nobody:hunter2"), "28P01", "refused this user and password"},
      {with_login("polyflake"), "28P01", "refused this user and password"},
      {address() + "2", "3D000", "no database of this name"},
      {address() + "?sslmode=require", "TLS", "TLS failed"},
  };
  for (const auto& one : wrong) {
    PostgreSqlCarrier carrier(one.address);
    EXPECT_EQ(code_of(carrier, "statements", {"SELECT 1"}), one.code) << one.address;
    const auto store = patient_store_at(one.address, "orders");
    const std::string failure = error_of([&] { store->read({}); });
    EXPECT_NE(failure.find(one.advice), std::string::npos) << failure;
    EXPECT_EQ(failure.find("hunter2"), std::string::npos) << failure;
    EXPECT_EQ(failure.find("store_unavailable: postgresql://127.0.0.1:"), 0U) << failure;
  }
}

TEST(PostgreSqlStores, refuse_an_address_that_libpq_cannot_read_without_the_password) {
  for (const std::string bad :
       {"postgresql://u:hunter2@h:x/d", "postgresql://u:hunter2%zz@h/d", "postgresql://u:hunter2@[h/d",
        "postgresql://u:hunter2@h/d?sslmod=require", "postgresql://u:hunter2@h:1,i:2,j/d?hostaddr=::1",
        "postgresql:///d?host=a,b&hostaddr=::1"}) {
    const std::string failure = error_of([&] { PostgreSqlCarrier{bad}; });
    EXPECT_TRUE(code_in(failure) == "worker_source_invalid" || code_in(failure) == "option_invalid") << failure;
    EXPECT_EQ(failure.find("hunter2"), std::string::npos) << failure;
  }
  for (const std::string good :
       {"postgresql://", "postgresql:///d?host=/run/postgresql", "postgresql://h:1,i:2/d",
        "postgresql://h,i/d?sslmode=verify-full&connect_timeout=3", "postgresql://[::1]:5432/d"}) {
    EXPECT_EQ(error_of([&] { PostgreSqlCarrier{good}; }), "none") << good;
  }
}

TEST(PostgreSqlStores, have_the_usual_port_where_a_list_of_hosts_has_none) {
  PostgreSqlCarrier carrier(address().insert(address().find('@') + 1, "127.0.0.1,"));
  EXPECT_EQ(code_of(carrier, "statements", {"SELECT 1"}), "none");
  EXPECT_ERROR(PostgreSqlCarrier("postgresql://u:p@h,,i/d"), worker_source_invalid);
}

// The table of counters is not there when the first one is made.
TEST(PostgreSqlStores, make_the_first_counter_by_the_clock_of_the_server) {
  PostgreSqlCarrier operator_of_it(address());
  for (const char* const kind : {"segment", "date"}) {
    CounterOptions options;
    options.kind = kind;
    const std::string schema = new_name();
    ask(operator_of_it, "statements", {"CREATE SCHEMA " + schema});
    const auto store = patient_store_at(address(), "orders", schema);
    init_namespace(*store, "polyflake", lease(), true);
    init_counter(*store, "first", 0, options);
    const auto first = store->read_counter("first").record.value();
    EXPECT_NEAR(static_cast<double>(first.head.topped_up_ms), static_cast<double>(SystemClock::read_ms()), 600'000);
    EXPECT_TRUE(options.kind == "date" || first.room == first.head.burst) << first.room;
  }
}

TEST(PostgreSqlStores, say_which_rights_are_missing) {
  PostgreSqlCarrier owner(address());
  ask(owner, "statements", {"CREATE ROLE guest LOGIN PASSWORD 'guest'"});
  const auto as_guest = [&](const std::string& schema) {
    return patient_store_at(with_login("guest:guest"), new_name(), schema);
  };
  init_namespace(*store_of_tests(new_name()), "polyflake");
  const std::string refused = error_of([&] { init_namespace(*as_guest(""), "polyflake"); });
  EXPECT_NE(refused.find("GRANT"), std::string::npos) << refused;
  const std::string missing = error_of([&] { init_namespace(*as_guest("nowhere"), "polyflake"); });
  EXPECT_NE(missing.find("CREATE SCHEMA"), std::string::npos) << missing;
}

// Its role needs no right on the table of node ids, nor that there is one.
TEST(PostgreSqlStores, make_the_first_counter_by_a_role_for_counters_alone) {
  PostgreSqlCarrier owner(address());
  ask(owner, "statements", {"CREATE ROLE counts LOGIN PASSWORD 'counts'"});
  for (const bool has_nodes : {true, false}) {
    const std::string schema = new_name(), spaces = schema + ".polyflake_namespaces";
    const auto at = [&](const std::string& where) { return patient_store_at(where, "orders", schema); };
    ask(owner, "statements", {"CREATE SCHEMA " + schema});
    init_namespace(*at(address()), "polyflake", lease(), true);
    if (!has_nodes) ask(owner, "statements", {"DROP TABLE " + schema + ".polyflake_nodes"});
    ask(owner, "statements",
        {"GRANT USAGE ON SCHEMA " + schema + " TO counts; GRANT SELECT ON " + spaces + " TO counts"});
    const auto store = at(with_login("counts:counts"));
    EXPECT_TRUE(store->read_counter("first").space) << "no counter was made yet";
    const std::string refused = error_of([&] { init_counter(*store, "first", 0); });
    EXPECT_EQ(code_in(refused), "store_unavailable") << refused;
    for (const char* const right : {"GRANT CREATE, USAGE ON SCHEMA", "REFERENCES ON polyflake_namespaces"}) {
      EXPECT_NE(refused.find(right), std::string::npos) << refused;
    }
    ask(owner, "statements",
        {"GRANT CREATE ON SCHEMA " + schema + " TO counts; GRANT REFERENCES ON " + spaces + " TO counts"});
    init_counter(*store, "first", 5);
    EXPECT_EQ(store->read_counter("first").record.value().next, 6U);
  }
}

TEST(PostgreSqlStores, keep_namespaces_of_schemas_apart) {
  PostgreSqlCarrier owner(address());
  ask(owner, "statements", {"CREATE SCHEMA apart"});
  const std::string name = new_name();
  const auto there = patient_store_at(address(), name, "apart");
  init_namespace(*there, "polyflake", fresh(), true);
  EXPECT_TRUE(there->read({}).space);
  EXPECT_FALSE(patient_store(name)->read({}).space);
}

// Its session is ended by an administrator: within a command, and between two.
TEST(PostgreSqlStores, go_on_after_their_session_was_ended) {
  PostgreSqlCarrier carrier(address()), administrator(address());
  const std::string others = " FROM pg_stat_activity WHERE application_name = 'polyflake' AND pid <> pg_backend_pid()";
  const auto end_session = [&] {
    return ask(administrator, "statements", {"SELECT pg_terminate_backend(pid)" + others});
  };
  ask(carrier, "statements", {"SELECT 1"});
  EXPECT_TRUE(comes([&] { return ask(administrator, "statements", {"SELECT count(*)" + others}) == Reply{{"1"}}; }))
      << "those of former tests end";
  EXPECT_EQ(end_session(), (Reply{{"t"}}));
  EXPECT_TRUE(comes([&] { return code_of(carrier, "statements", {"SELECT 1"}) == "none"; }));
  std::string code;
  std::thread sleeper([&] { code = code_of(carrier, "statements", {"SELECT pg_sleep(60)"}); });
  EXPECT_TRUE(comes([&] {
    return ask(administrator, "statements",
               {"SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)'"}) == Reply{{"1"}};
  }));
  end_session();
  sleeper.join();
  EXPECT_EQ(code, "57P01");
  EXPECT_EQ(code_of(carrier, "statements", {"SELECT 1"}), "none");
}

}  // namespace
}  // namespace polyflake::test
