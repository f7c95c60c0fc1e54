// The kinds of runs. Each takes options.seconds, and some more until the last replies have come.
#pragma once

#include <cstddef>

#include "client.hpp"
#include "options.hpp"

namespace polyflake::load {

// Each connection sends options.depth requests, reads all replies, and sends the next.
void run_closed_loop(const Options& options, Client& client, Result& result);

// A request is due every 1 / options.rate seconds, whether or not those before were answered. It
// goes to the connection that has been idle for longest; if none is idle, to the next in turn.
void run_open_loop(const Options& options, Client& client, Result& result);

// Connections say nothing; then each asks once.
void run_idle(const Options& options, Client& client, Result& result);

// Each of options.connections sends options.depth requests and reads nothing. Returns how many the
// server had closed at the end.
std::size_t run_never_read(const Options& options);

}  // namespace polyflake::load
