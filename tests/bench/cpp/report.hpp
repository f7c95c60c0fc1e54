// What a run writes: rows as JSON, with raw times and counts. Their names are explained in tests/bench/report/rows.py.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>

#include <polyflake/generator.hpp>
#include <polyflake/version.hpp>

#include "rounds.hpp"

namespace polyflake::bench {

struct Settings {
  bool quick = false;
  bool peers = true;
  std::string only;  // the name of one row; empty: all
  int rounds() const { return quick ? 11 : 121; }
  std::int64_t span_ms(std::int64_t full) const { return quick ? full / 10 : full; }
};

// Whose row it is, and what they leave out.
struct Subject {
  std::string library, call, price;
};
inline constexpr const char* kOurs = "polyflake " POLYFLAKE_VERSION;

class Report {
 public:
  explicit Report(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }
  bool wants(const std::string& row) const { return settings_.only.empty() || settings_.only == row; }

  void add(const char* row, const Subject& subject, nlohmann::ordered_json figures) {
    nlohmann::ordered_json json = {
        {"row", row}, {"library", subject.library}, {"call", subject.call}, {"price", subject.price}};
    json.update(figures);
    std::fprintf(stderr, "%s %s %s\n", row, subject.library.c_str(), subject.call.c_str());
    rows_.push_back(std::move(json));
  }
  const nlohmann::ordered_json& rows() const { return rows_; }

 private:
  const Settings settings_;
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

// How many of these ids equal another one; sorts them.
std::size_t duplicates_among(Ids& ids);

// As many ids as `issue(thread)` gives to threads that begin with a millisecond and end when its ids lie `span_ms` ahead.
nlohmann::ordered_json saturate(std::size_t threads, std::int64_t span_ms, const Layout& layout,
                                const std::function<std::uint64_t(std::size_t)>& issue);

// Floor, work and floor in turns. generator: of whose waits are counted.
void add_rounds(Report& report, const char* row, const Subject& subject, Chunk floor, Chunk work,
                const Generator* generator = nullptr);

void add_rows(Report& report);
void add_codec_rows(Report& report);
void add_kind_rows(Report& report);
void add_segment_rows(Report& report);

}  // namespace polyflake::bench
