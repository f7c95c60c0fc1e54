# `./dev test page`: docs/inspector.html in a real browser, which only this part needs.

part_page() {
  local browser
  install_tools
  install_missing page missing_browser apt_get tools/dev/page.sh
  browser=$(find_browser)
  POLYFLAKE_BROWSER=$browser run_node tests/page/*.test.mjs
}

find_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

missing_browser() { works find_browser || echo chromium; }
