// What the tests of tests/vectors/vectors.json are read and compared with.
#pragma once

#include <polyflake/polyflake.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

namespace polyflake::test {

using Json = nlohmann::json;

struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::string shown(const std::string& text) { return text; }
template <class Number>
std::string shown(Number number) {
  return std::to_string(number);
}

template <class A, class B>
void require_equal(const A& actual, const B& expected, const std::string& what) {
  if (actual != static_cast<A>(expected))
    throw Mismatch(what + " is " + shown(actual) + ", expected " + shown(A(expected)));
}

inline std::uint64_t number(const Json& value) {
  const std::string text = value.get<std::string>();
  std::size_t read = 0;
  const std::uint64_t parsed = std::stoull(text, &read);
  if (read != text.size() || text[0] == '-') throw Mismatch("not a number: " + text);
  return parsed;
}

inline std::int64_t signed_number(const Json& value) {
  const std::string text = value.get<std::string>();
  std::size_t read = 0;
  const std::int64_t parsed = std::stoll(text, &read);
  if (read != text.size()) throw Mismatch("not a number: " + text);
  return parsed;
}

// An id is given twice, in decimal and in hexadecimal.
inline std::uint64_t id_of(const Json& pair) {
  const std::uint64_t id = number(pair.at("id"));
  require_equal(std::stoull(pair.at("hex").get<std::string>(), nullptr, 16), id, "hex twin");
  return id;
}

inline void require_known_keys(const Json& object, const std::set<std::string>& known) {
  for (const auto& item : object.items()) {
    if (known.count(item.key()) == 0) throw Mismatch("unknown key " + item.key());
  }
}

// Runs `call`, and demands the error that the test or step names, if it names one.
inline void expecting(const Json& test, const std::function<void()>& call) {
  if (!test.contains("error")) return call();
  try {
    call();
  } catch (const Error& error) {
    require_equal(std::string(error.code_name()), test.at("error").get<std::string>(), "error code");
    for (const Json& words : test.value("message_has", Json::array())) {
      if (std::string(error.what()).find(words.get<std::string>()) == std::string::npos) {
        throw Mismatch("message does not say " + words.dump() + ": " + error.what());
      }
    }
    if (test.contains("position"))
      require_equal(error.position().value(), test.at("position").get<std::size_t>(), "position");
    return;
  }
  throw Mismatch("no error, expected " + test.at("error").get<std::string>());
}

inline std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

inline Worker worker_of(const Json& worker) {
  if (worker.is_number_integer()) return Worker(worker.get<std::int64_t>());
  if (worker.is_string()) return Worker(worker.get<std::string>());
  Worker::Fields fields;
  for (const auto& [name, value] : worker.items()) fields[name] = value.get<std::int64_t>();
  return Worker(fields);
}

// The groups of kinds.
void check_kind_text(const Json& test);
void check_uuid(const Json& test);
void check_uuid_generator(const Json& test);
void check_object_id(const Json& test);

// The groups of counters.
void check_counter(const Json& test);
void check_step_group(const Json& test);
void check_date(const Json& test);
void check_ticket(const Json& test);

}  // namespace polyflake::test
