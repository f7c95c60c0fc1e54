// The one surface that the Python, Node and Java bindings see, with one header for each noun.
//
// Plain types only: integers, std::string, std::vector, small structs. Bindings convert a
// language's values to these, call, and convert back; all decisions about ids are made below this
// line. Every function may throw; a binding catches everything at its entry and calls
// current_failure() to describe it.
#pragma once

#include "facade/codec.hpp"
#include "facade/counted_source.hpp"
#include "facade/counter.hpp"
#include "facade/counter_list.hpp"
#include "facade/dates.hpp"
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
#include "facade/source.hpp"
#include "facade/sqids.hpp"
#include "facade/text.hpp"
#include "facade/tickets.hpp"
