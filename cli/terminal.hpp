// Terminals: detects them, and removes from them the things that a signal must not leave behind.
#pragma once

namespace polyflake::cli::terminal {

// Returns true for a terminal that has colours and can clear a line: not TERM=dumb.
bool takes_escapes(int descriptor);

// Records that colours are written to it from now on.
void colors_on(int descriptor);
// Records that it shows a line of progress, or none any more.
void line_on(int descriptor, bool shown);

// Ends the colours and clears the line, if there are any. Async-signal-safe: for a signal handler
// of the program.
void tidy() noexcept;

}  // namespace polyflake::cli::terminal
