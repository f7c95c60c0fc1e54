// A text with holes and rows, in the syntax of the program that reads it: a shell, or man.
//
// `@name@` is a hole. A comment line `#| name: text` is one line of the form of a row, in which
// there may be holes as well. Lines of one name are one form. Rows replace the comments, in the
// order in which they are added; a form without rows leaves nothing.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyflake::cli {

class Template {
 public:
  using Holes = std::initializer_list<std::pair<std::string_view, std::string>>;

  // mark: the beginning of the comments that are forms, "#| ".
  Template(std::string_view text, std::string_view mark);

  // Adds a row of this form. Requires that the text has the form.
  void add(std::string_view form, Holes holes);

  // Returns the text with all rows.
  std::string filled(Holes holes) const;

 private:
  struct Form {
    std::string_view name;
    std::string text;
  };
  // Lines up to the next forms, those forms, and their rows.
  struct Part {
    std::string text;
    std::vector<Form> forms;
    std::string rows;
  };

  std::vector<Part> parts_{1};
};

}  // namespace polyflake::cli
