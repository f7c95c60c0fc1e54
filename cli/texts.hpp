// The files of cli/texts, as templates: scripts with which shells complete, and the manual page.
#pragma once

namespace polyflake::cli {

extern const char* const kBashText;
extern const char* const kZshText;
extern const char* const kFishText;
extern const char* const kManText;

}  // namespace polyflake::cli
