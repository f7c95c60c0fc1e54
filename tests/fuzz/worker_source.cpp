// Worker sources given as text: what is read spells the same text again.
#include <polyflake/worker.hpp>

#include <optional>
#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

std::string spelled(const WorkerSpec& source) {
  switch (source.kind) {
    case WorkerSpec::Kind::host: return "host";
    case WorkerSpec::Kind::ordinal: return "ordinal";
    case WorkerSpec::Kind::host_number: return "host:" + std::to_string(source.number);
    case WorkerSpec::Kind::number: break;
  }
  return "a number, which is never given as text";
}

void run(std::string_view text) {
  std::optional<WorkerSpec> source;
  if (!accepts([&] { source = parse_worker_spec(text); }, {ErrorCode::worker_source_invalid})) return;
  hold(spelled(*source) == text, "a source spells back to its text");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
