// Worker sources given as text: what is read spells the same text again.
#include <polyflake/worker.hpp>

#include <optional>
#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

std::string spelled(const WorkerSource& source) {
  switch (source.kind) {
    case WorkerSource::Kind::host: return "host";
    case WorkerSource::Kind::ordinal: return "ordinal";
    case WorkerSource::Kind::host_number: return "host:" + std::to_string(source.number);
    case WorkerSource::Kind::number: break;
  }
  return "a number, which is never given as text";
}

void run(std::string_view text) {
  std::optional<WorkerSource> source;
  if (!accepts([&] { source = parse_worker_source(text); }, {ErrorCode::worker_source_invalid})) return;
  hold(spelled(*source) == text, "a source spells back to its text");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
