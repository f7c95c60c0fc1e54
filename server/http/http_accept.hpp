// The field `Accept` of HTTP: which form of ids a client takes.
#pragma once

#include <string_view>

namespace polyflake::server {

// The forms that ids have in a reply.
enum class IdsForm {
  json,   // application/json
  lines,  // text/plain
  bytes,  // application/octet-stream
};

// Chooses the form with the largest `q`. If several have it, a named type goes before a wildcard,
// and the first before the others. JSON if the client accepts none of the three: never 406.
class Accept {
 public:
  // Reads one field of this name; a request may have several.
  void add(std::string_view value);

  IdsForm form() const { return form_; }

 private:
  void add_range(std::string_view range);

  IdsForm form_ = IdsForm::json;
  int rank_ = 0;  // of what was chosen: 2 q in thousandths, and 1 if it was named
};

}  // namespace polyflake::server
