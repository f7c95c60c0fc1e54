# `./dev compat [row ...]` tries the archives of a release on other interpreters and systems: tools/release/compat.py.

try_release() {
  local out
  out=dist/$(python3 tools/release/version.py)
  install_tools
  install_missing compat missing_compat_packages apt_get tools/dev/compat.sh
  if [ -f "$out/SHA256SUMS" ]; then
    (cd "$out" && sha256sum --check --quiet SHA256SUMS)  # what would be published is what is tried
  else
    make_release --skip-run
  fi
  build/venv/bin/python tools/release/compat.py "$out" "$@"
}

missing_compat_packages() { works unshare --version || echo util-linux; }
