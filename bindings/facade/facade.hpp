// The one surface that the Python, Node and Java bindings see, a header a noun.
//
// Plain types only: integers, std::string, std::vector, small structs. Bindings convert a language's
// values to these, call, and convert back; whatever concerns ids is decided below this line. Every
// function may throw; a binding catches everything at its entry and asks current_failure() what it was.
#pragma once

#include "facade/codec.hpp"
#include "facade/error.hpp"
#include "facade/explain.hpp"
#include "facade/generator.hpp"
#include "facade/hashids.hpp"
#include "facade/kinds.hpp"
#include "facade/layout.hpp"
#include "facade/lease.hpp"
#include "facade/options.hpp"
#include "facade/process.hpp"
#include "facade/seal.hpp"
#include "facade/sqids.hpp"
#include "facade/text.hpp"
