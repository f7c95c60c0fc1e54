#include "open/worker_choice.hpp"

#include <polyflake/error.hpp>

#include <string>
#include <variant>

#include "os/os.hpp"

namespace polyflake {
namespace {

// Environment variables that identify platforms which run several copies of a program.
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

// On such platforms each copy has a registry of its own, and would take node id 0.
void refuse_to_guess_among_copies() {
  for (const auto& [variable, platform] : kPlatformsOfCopies) {
    if (!is_set(variable)) continue;
    throw Error(
        ErrorCode::worker_source_invalid,
        std::string("no worker was chosen, and ") + platform + " (" + variable +
            " is set) may run several copies of this program, which would issue the same ids. Choose one, as an "
            "option or in POLYFLAKE_WORKER: a store that the copies share, such as redis://host/0?namespace=orders, "
            "fits a Deployment, a function and all else; \"ordinal\" fits a StatefulSet, \"host\" copies that share "
            "one registry folder, and a number a copy that is given its own. See "
            "https://github.com/polyflake/polyflake/tree/main/docs/worker-ids.md");
  }
}

}  // namespace

WorkerChoice choose_worker(const Worker& worker) {
  if (!std::holds_alternative<std::monostate>(worker.value())) return {worker, true};
  if (const auto environment = platform::environment("POLYFLAKE_WORKER")) {
    return {parse_worker_environment(*environment), true};
  }
  refuse_to_guess_among_copies();
  return {"host", false};
}

}  // namespace polyflake
