// The pages of HTTP that give no ids, as JSON.
#pragma once

#include <string>
#include <string_view>

#include <polyflake/layout.hpp>

#include "ids/service.hpp"

namespace polyflake::server {

std::string live_page();

// Returns each generator and counter with the code of its next error, or null. The status of the
// reply is that of Service::ready().
std::string ready_page(const Service& service);

// Returns names, layouts, node ids and windows of the generators, and names of the counters.
std::string generators_page(const Service& service);

// Returns the parts of the id of this text. Errors: those of id_from_text() and Layout::unpack().
std::string decoded_page(const Layout& layout, std::string_view text);

// Returns the same as Leaf writes them, with the time in UTC.
std::string leaf_decoded_page(const Layout& layout, std::string_view text);

}  // namespace polyflake::server
