#include "open/worker_choice.hpp"

#include <polyflake/error.hpp>

#include <optional>
#include <string>

#include "base/ascii.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

std::uint64_t checked_node(const Layout& layout, std::uint64_t node) {
  layout.node_bits(node);  // refuses what has no place at all
  if (node > layout.largest_node()) {
    throw Error(ErrorCode::field_out_of_range,
                "node id " + std::to_string(node) + " sets the sign bit; generated ids must stay below 2^63");
  }
  return node;
}

std::uint64_t node_from_number(const Layout& layout, std::int64_t number) {
  if (number >= 0) return checked_node(layout, static_cast<std::uint64_t>(number));
  throw Error(ErrorCode::field_out_of_range, "node id " + std::to_string(number) + " is negative; it may be 0 to " +
                                                 std::to_string(ones(layout.node_width())));
}

std::uint64_t node_from_fields(const Layout& layout, const Worker::Fields& fields) {
  std::uint64_t node = 0;
  for (const auto& [name, value] : fields) node |= layout.node_with(name, value);
  for (const Field& field : layout.node_fields()) {
    if (fields.count(field.name) == 0) {
      throw Error(ErrorCode::worker_source_invalid,
                  "worker names no value for node field '" + field.name + "'; give one for each, or one node id");
    }
  }
  return checked_node(layout, node);
}

std::uint64_t node_from_ordinal(const Layout& layout) {
  const std::string base_text = platform::environment("POLYFLAKE_ORDINAL_BASE").value_or("0");
  const auto base = ascii::decimal(base_text);
  if (!base) {
    throw Error(ErrorCode::worker_source_invalid,
                "POLYFLAKE_ORDINAL_BASE is " + quoted(base_text) + "; it must be a number in canonical decimal");
  }
  return checked_node(layout, ordinal_of(platform::host_name(), *base));
}

// Number, host or host_number.
WorkerSpec read_text(const std::string& text, const Layout& layout) {
  using Kind = WorkerSpec::Kind;
  const WorkerSpec source = parse_worker_spec(text);
  if (source.kind == Kind::ordinal) return {Kind::number, node_from_ordinal(layout)};
  if (source.kind == Kind::host_number) checked_node(layout, source.number);
  return source;
}

WorkerSpec read_worker(const Worker& worker, const Layout& layout) {
  using Kind = WorkerSpec::Kind;
  if (const auto* number = std::get_if<std::int64_t>(&worker.value())) {
    return {Kind::number, node_from_number(layout, *number)};
  }
  if (const auto* fields = std::get_if<Worker::Fields>(&worker.value())) {
    return {Kind::number, node_from_fields(layout, *fields)};
  }
  return read_text(std::get<std::string>(worker.value()), layout);
}

// Environment variables by which platforms that run several copies of a program are known.
constexpr struct {
  const char* variable;
  const char* platform;
} kPlatformsOfCopies[] = {
    {"KUBERNETES_SERVICE_HOST", "Kubernetes"},
    {"ECS_CONTAINER_METADATA_URI_V4", "Amazon ECS"},
    {"AWS_LAMBDA_FUNCTION_NAME", "AWS Lambda"},
    {"K_SERVICE", "Cloud Run or Knative"},
    {"NOMAD_ALLOC_ID", "Nomad"},
    {"FLY_MACHINE_ID", "Fly.io"},
    {"DYNO", "Heroku"},
    {"WEBSITE_INSTANCE_ID", "Azure App Service"},
};

bool is_set(const char* variable) { return !platform::environment(variable).value_or("").empty(); }

// Copies of a program have registries of their own there, and each would take node id 0.
void refuse_to_guess_among_copies() {
  for (const auto& [variable, platform] : kPlatformsOfCopies) {
    if (!is_set(variable)) continue;
    throw Error(
        ErrorCode::worker_source_invalid,
        std::string("no worker was chosen, and ") + platform + " (" + variable +
            " is set) may run several copies of this program, which would issue the same ids. Choose one, as an "
            "option or in POLYFLAKE_WORKER: a distinct number, \"ordinal\" in a StatefulSet, or \"host\" if all "
            "copies share one registry folder");
  }
}

}  // namespace

WorkerChoice choose_worker(const Worker& worker, const Layout& layout) {
  if (!std::holds_alternative<std::monostate>(worker.value())) return {read_worker(worker, layout), true};
  if (const auto environment = platform::environment("POLYFLAKE_WORKER")) {
    return {read_worker(parse_worker_environment(*environment), layout), true};
  }
  refuse_to_guess_among_copies();
  return {{WorkerSpec::Kind::host}, false};
}

}  // namespace polyflake
