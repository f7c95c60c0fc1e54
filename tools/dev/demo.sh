run_demo() {
  build_packages
  build_examples
  build/venv/bin/python examples/demo.py --jar "$jar"
}
