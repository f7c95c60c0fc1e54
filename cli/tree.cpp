#include "tree.hpp"

#include <polyflake/codec.hpp>
#include <polyflake/layout.hpp>

namespace polyflake::cli {
namespace {

// Returns all possible values: from the help text, or as a validator adds them to it,
// {auto,always,never}.
std::vector<std::string> words_for(const std::string& value, const CLI::Option& option) {
  if (value == "LAYOUT" || value == "OTHER") return Layout::preset_names();
  if (value == "CODEC") return codec_names();
  if (value == "FORM") {
    std::vector<std::string> names = codec_names();
    names.insert(names.end(), {"sqids", "hashids"});
    return names;
  }
  if (value == "WORKER") return {"host", "ordinal"};
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

// Returns the value's name without the text that validators add to it.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

CommandView view_of(const CLI::App& app, const std::string& name) {
  CommandView view{name, app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      const std::string argument = option->get_name();
      view.arguments.push_back({argument, option->get_description(), option->get_required(),
                                option->get_items_expected_max() > 1, words_for(argument, *option)});
      continue;
    }
    OptionView one{{}, value_of(*option), option->get_description(), option->get_default_str(), {}};
    for (const std::string& letter : option->get_snames()) one.names.push_back("-" + letter);
    for (const std::string& word : option->get_lnames()) one.names.push_back("--" + word);
    one.words = words_for(one.value, *option);
    view.options.push_back(std::move(one));
  }
  return view;
}

}  // namespace

std::vector<CommandView> tree_of(const CLI::App& program) {
  std::vector<CommandView> views{view_of(program, "")};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    views.push_back(view_of(*command, command->get_name()));
  }
  return views;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

}  // namespace polyflake::cli
