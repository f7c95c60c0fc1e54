# `./dev docs`: the site, build/site. Guides and the Python API by MkDocs, the other APIs by TypeDoc, Javadoc and Doxygen.

site=build/site

# Everything but the check of the links, which is the part `docs` of `./dev test`.
build_docs() {
  build_packages
  install_missing docs missing_docs apt_get tools/dev/docs.sh
  fresh docs-packages build/venv/bin/mkdocs tools/docs/requirements.txt build/stamps/python-packages -- \
    pip_install -r tools/docs/requirements.txt
  fresh guides $site/api/python.html docs tools/docs python build/stamps/wheel-installed build/stamps/docs-packages -- make_guides
  fresh docs-node $site/api/node/index.html node tools/docs package-lock.json build/stamps/guides -- make_node_docs
  fresh docs-java $site/api/java/index.html java/src/main java/pom.xml "$jni/generated" build/stamps/guides -- make_java_docs
  fresh docs-cpp $site/api/cpp/index.html core/include tools/docs build/stamps/guides -- doxygen tools/docs/Doxyfile
}
part_docs() { build/venv/bin/python tools/docs/check.py $site; }

make_docs() {
  build_docs
  step docs-links part_docs
  cat build/logs/docs-links.log
  printf '%s/index.html\n' $site
}

missing_docs() { works doxygen --version || echo doxygen; }

# Empties the folder of the site: the others come after it.
make_guides() { NO_MKDOCS_2_WARNING=1 build/venv/bin/mkdocs build --strict --clean -f tools/docs/mkdocs.yml; }

# TypeDoc writes the link to the guides alike into pages of two depths.
make_node_docs() {
  node_modules/.bin/typedoc --options tools/docs/typedoc.json --treatWarningsAsErrors
  sed -i 's#href="../../index.html"#href="../../../index.html"#' $site/api/node/*/*.html
}

make_java_docs() {
  maven -Pdist "-Dheader=<a href='{@docRoot}/../../index.html'>Guides</a>" org.apache.maven.plugins:maven-javadoc-plugin:3.6.3:javadoc@javadoc
  rm -rf $site/api/java
  mkdir -p $site/api
  cp -r java/target/site/apidocs $site/api/java
  mkdir -p $site/api/java/resources/fonts
  touch $site/api/java/resources/fonts/dejavu.css  # the style names it, and Debian's JDK has no fonts
}
