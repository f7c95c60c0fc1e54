// The pages of HTTP that give no ids, as JSON.
#pragma once

#include <string>
#include <string_view>

#include <polyflake/layout.hpp>

#include "service.hpp"

namespace polyflake::server {

std::string live_page();

// Names each generator and counter with the code of its next error, or null; the status is that of
// Service::ready().
std::string ready_page(const Service& service);

// Names, layouts, node ids and windows of the generators, and names of the counters.
std::string generators_page(const Service& service);

// The parts of an id. Errors: those of id_from_text() and Layout::unpack().
std::string decoded_page(const Layout& layout, std::string_view id);

// The same as Leaf writes them, with the time in UTC.
std::string leaf_decoded_page(const Layout& layout, std::string_view id);

}  // namespace polyflake::server
