# What a user would be given, from this machine: dist/.

make_packages() {
  if [ "${1:-}" = server ]; then
    make_server_package
    return
  fi
  if [ $# -gt 0 ]; then
    printf './dev package: %s is not server\n' "$1" >&2
    exit 2
  fi
  build_packages
  step java-jars maven -Pdist -Dmaven.test.skip=true package
  mkdir -p dist
  step packages copy_packages
  ls -1 dist
}

copy_packages() {
  find dist -maxdepth 1 -type f -delete  # not the releases in their folders
  build/venv/bin/python -c 'from scikit_build_core.build import build_sdist; build_sdist("dist")'
  cp build/wheel/*.whl "$jar" "${jar%.jar}-sources.jar" "${jar%.jar}-javadoc.jar" dist/
  npm pack --pack-destination dist
}

# Not what the examples leave beside it: a cache of ccache, pip, npm or Maven is not ours.
remove_everything_built() {
  rm -rf build dist node_modules node/prebuilds java/target third_party
  find . -name __pycache__ -prune -exec rm -rf {} +
}
