# `./dev test page`: docs/inspector.html in a real browser, which only this part needs.

build_page() { install_missing page missing_browser apt_get tools/dev/page.sh; }
part_page() { POLYFLAKE_BROWSER=$(find_browser) run_node page 1 tests/page/*.test.mjs; }

find_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

missing_browser() { works find_browser || echo chromium; }
