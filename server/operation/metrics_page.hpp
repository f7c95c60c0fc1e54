// The page of /metrics: the text format of Prometheus.
// Source: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4.
#pragma once

#include <string>
#include <string_view>

#include "ids/service.hpp"

namespace polyflake::server {

inline constexpr std::string_view kTypeOfMetrics = "text/plain; version=0.0.4; charset=utf-8";

// Returns all metrics. Labels are names of the configuration, of protocols and of codes.
std::string metrics_page(const Service& service);

}  // namespace polyflake::server
