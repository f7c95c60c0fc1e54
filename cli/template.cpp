#include "template.hpp"

#include <algorithm>
#include <stdexcept>

namespace polyflake::cli {
namespace {

// Returns the text with values in its holes. An `@` that begins no hole stays as it is.
std::string fill(std::string_view text, Template::Holes holes) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto hole = std::find_if(holes.begin(), holes.end(), [&](const auto& one) {
      const std::size_t size = one.first.size();
      return rest[0] == '@' && rest.substr(1, size) == one.first && rest.substr(size + 1, 1) == "@";
    });
    if (hole == holes.end()) {
      result += rest[0];
      ++at;
    } else {
      result += hole->second;
      at += hole->first.size() + 2;
    }
  }
  return result;
}

}  // namespace

Template::Template(std::string_view text, std::string_view mark) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    const std::size_t indent = line.find_first_not_of(' ');
    if (line.substr(indent, mark.size()) != mark) {
      if (!parts_.back().forms.empty()) parts_.emplace_back();
      parts_.back().text += line;
      continue;
    }
    const std::string_view form = line.substr(indent + mark.size());
    const std::size_t colon = form.find(": ");
    std::vector<Form>& forms = parts_.back().forms;
    const std::string_view name = form.substr(0, colon);
    if (forms.empty() || forms.back().name != name) forms.push_back({name, ""});
    forms.back().text.append(line.substr(0, indent)).append(form.substr(colon + 2));
  }
}

void Template::add(std::string_view form, Holes holes) {
  for (Part& part : parts_) {
    for (const Form& one : part.forms) {
      if (one.name == form) {
        part.rows += fill(one.text, holes);
        return;
      }
    }
  }
  throw std::out_of_range("a template has no form " + std::string(form));
}

std::string Template::filled(Holes holes) const {
  std::string result;
  for (const Part& part : parts_) result += fill(part.text, holes) + part.rows;
  return result;
}

}  // namespace polyflake::cli
