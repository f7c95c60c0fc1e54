# `./dev docs`: the site, build/site. Guides and the Python API by MkDocs, the other APIs by TypeDoc, Javadoc and Doxygen.

site=build/site

build_docs() {
  build_packages
  install_missing docs missing_docs apt_get tools/dev/docs.sh
  fresh docs-packages build/venv/bin/mkdocs tools/docs/requirements.txt build/stamps/python-packages -- \
    pip_install -r tools/docs/requirements.txt
}

missing_docs() { works doxygen --version || echo doxygen; }

make_docs() {
  build_docs
  fresh guides $site/api/python.html docs tools/docs python build/stamps/wheel-installed build/stamps/docs-packages -- make_guides
  fresh docs-node $site/api/node/index.html node tools/docs package-lock.json build/stamps/guides -- make_node_docs
  fresh docs-java $site/api/java/index.html java/src/main java/pom.xml $jni/generated build/stamps/guides -- make_java_docs
  fresh docs-cpp $site/api/cpp/index.html core/include tools/docs build/stamps/guides -- doxygen tools/docs/Doxyfile
  step docs-links build/venv/bin/python tools/docs/check.py $site
  cat build/logs/docs-links.log
  printf '%s/index.html\n' $site
}

# Empties the folder of the site: the others come after it.
make_guides() { NO_MKDOCS_2_WARNING=1 build/venv/bin/mkdocs build --strict --clean -f tools/docs/mkdocs.yml; }

make_node_docs() { node_modules/.bin/typedoc --options tools/docs/typedoc.json --treatWarningsAsErrors; }

make_java_docs() {
  maven -Pdist org.apache.maven.plugins:maven-javadoc-plugin:3.6.3:javadoc@javadoc
  rm -rf $site/api/java
  mkdir -p $site/api
  cp -r java/target/site/apidocs $site/api/java
}
