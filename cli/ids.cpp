#include "ids.hpp"

#include <polyflake/error.hpp>

#include "lines.hpp"
#include "progress.hpp"
#include "system.hpp"

namespace polyflake::cli {

void add_ids(CLI::App& command, IdOptions& options, const std::string& what) {
  constexpr int kMany = CLI::detail::expected_max_vector_size;
  // For CLI11 there is always room for more, also after "--", and a text in brackets is not a list
  // of texts.
  const CLI::callback_t take = [&options](const CLI::results_t& texts) {
    options.texts = texts;
    return true;
  };
  command.add_option(what, take, "Read from standard input, one a line, where none is given")
      ->type_name("")
      ->take_all()
      ->expected(kMany / 2, kMany)
      ->allow_extra_args(false);
  command.add_flag("--keep-going", options.keep_going, "After one that is refused, go on with the next");
}

namespace {

// The same refusal as that of a codec, whose texts are never empty; here since every codec words it
// differently.
void refuse_blank(std::string_view text) {
  if (text.find_first_not_of(" \t") == std::string_view::npos) {
    throw Error(ErrorCode::text_invalid, "there is nothing in it", 0);
  }
}

class Texts {
 public:
  Texts(Program& program, const IdOptions& options, const std::function<void(std::string_view)>& take)
      : program_(program), options_(options), take_(take), progress_(program.out, program.err) {}

  int from_arguments() {
    const bool alone = options_.texts.size() == 1;
    for (std::size_t i = 0; i < options_.texts.size(); ++i) {
      const auto where = [&] { return alone ? "" : "argument " + std::to_string(i + 1) + ": "; };
      if (!take(options_.texts[i], false, where)) return kError;
    }
    return code_;
  }

  int from_input() {
    constexpr int kInput = 0;
    if (system::is_terminal(kInput)) throw UsageError("give at least one, or one a line to standard input");
    Lines lines(kInput);
    for (std::string_view line; lines.next(line);) {
      if (!take(line, lines.cut(), [&] { return "line " + std::to_string(lines.number()) + ": "; })) return kError;
      if (!lines.waiting()) program_.out.flush();
    }
    return code_;
  }

 private:
  template <class Where>
  bool take(std::string_view text, bool cut, const Where& where) {
    try {
      if (cut) throw Error(ErrorCode::text_invalid, "it has 64 KiB or more");
      refuse_blank(text);
      take_(text);
      progress_.count();
      return true;
    } catch (const Error& error) {
      progress_.clear();
      program_.complain(error.code_name(), where() + error.what());
      code_ = kError;
      return options_.keep_going;
    }
  }

  Program& program_;
  const IdOptions& options_;
  const std::function<void(std::string_view)>& take_;
  Progress progress_;
  int code_ = kWell;
};

}  // namespace

int each_text(Program& program, const IdOptions& options, const std::function<void(std::string_view)>& take) {
  Texts texts(program, options, take);
  return options.texts.empty() ? texts.from_input() : texts.from_arguments();
}

}  // namespace polyflake::cli
