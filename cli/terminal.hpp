// Terminals: whether one is written to, and what is on it that a signal must not leave behind.
#pragma once

namespace polyflake::cli::terminal {

// Whether it is a terminal that knows colours and how to clear a line: not TERM=dumb.
bool takes_escapes(int descriptor);

// Colours are written to it from now on.
void colors_on(int descriptor);
// A line of progress stands on it, or none any more.
void line_on(int descriptor, bool shown);

// Ends the colours and clears the line, where there are any. Async-signal-safe: for a handler of the program's own.
void tidy() noexcept;

}  // namespace polyflake::cli::terminal
