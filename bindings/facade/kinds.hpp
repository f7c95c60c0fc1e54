// Kinds of ids: their texts and their parts. Ids are bytes here, big endian.
//
// Sources whose ids have positions are a Generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/id_source.hpp>

#include "facade/source.hpp"

namespace polyflake::facade {

// The largest of all kinds.
constexpr std::size_t kMostIdBytes = 16, kMostIdText = 36;

// "name" or "name:store". Errors: text_invalid, unknown_kind, option_invalid.
struct KindText {
  std::string name;
  std::string store;
  bool has_store;
};
KindText parse_kind(const std::string& text, const std::vector<std::string>& own);
std::vector<std::string> built_in_kinds();
// Errors: text_invalid, option_invalid.
void check_new_kind(const std::string& name, const std::vector<std::string>& own);

// Convert between the bytes and the text of an id. `kind` is the name of a kind of this library
// whose ids are not numbers. Errors: unknown_kind, text_invalid.
std::string parse_id(const std::string& kind, const std::string& text);
std::string id_text(const std::string& kind, const std::string& id);

// layout: the one of the worker of the source; "" for a source without a worker.
// Errors: unknown_kind, option_invalid (the ids of this kind have no time), and those of the
// decode() of the kind.
struct IdParts {
  std::int64_t time_ms;
  std::vector<std::uint64_t> values;  // of the other parts, in the order in which the kind has them
};
IdParts decode_id(const std::string& kind, const std::string& layout, const std::string& id);

// Returns the bytes of the smallest (first) or the largest id of a time. Errors: unknown_kind,
// option_invalid (the ids of this kind have no time), field_out_of_range.
std::string first_id(const std::string& kind, std::int64_t unix_ms);
std::string last_id(const std::string& kind, std::int64_t unix_ms);

// Returns the bytes of a UUID. Errors: text_invalid.
std::string parse_uuid(const std::string& text);

// Converts a 64-bit id of a layout to the bytes of a UUID of version 7, and back.
// Errors: layout_invalid, id_out_of_range, field_out_of_range.
std::string layout_to_uuid(const std::string& layout, std::uint64_t id);
std::uint64_t layout_from_uuid(const std::string& layout, const std::string& uuid);

// A source of ids without positions, such as uuid4.
class FreeSource final : public Source {
 public:
  // Errors: as the source of the kind of the options.
  explicit FreeSource(const Options& options);

  std::size_t id_bytes() const override { return source_->id_bytes(); }
  std::int64_t claim_id(Claiming how, unsigned char* id) override;
  IdRange claim_ids(unsigned char* ids, std::size_t n) override;
  std::int64_t wait_ns(std::uint64_t, std::int64_t) override { return 0; }
  void renew() override {}
  GeneratorState state() const override;
  void close() noexcept override { source_->close(); }
  bool closed() const noexcept override { return source_->closed(); }
  std::uint64_t worker() const override { return 0; }
  std::string layout() const override { return ""; }
  polyflake::Stats stats() const override;

 private:
  void expect(std::size_t /*n*/) const override {}  // the source does that

  const std::unique_ptr<polyflake::IdSource> source_;
};

}  // namespace polyflake::facade
