# `./dev format`: C++, Python, JavaScript, TypeScript and Java, in place. The lint `formatting` says what it would do.

run_format() {
  install_test_tools
  step format build/venv/bin/python tests/lint/formatting.py
}
