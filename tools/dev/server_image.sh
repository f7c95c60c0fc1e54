# The OCI image of the id server: the program of its Debian package, the libraries that it needs, and certificates of authorities.

server_image=build/server-package/polyflaked.oci.tar

install_image_tools() { install_missing image missing_image_tools apt_get tools/dev/server_image.sh; }

missing_image_tools() {
  works buildah --version || echo buildah
  [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
}

build_server_image() {
  install_image_tools
  build_server_package
  fresh server-image "$server_image" "$server_package/server/polyflaked" NOTICE tools/dev/server_image.sh /var/lib/dpkg/status \
    -- pack_server_image
}

# Equal files make an image of the same digest.
pack_server_image() {
  local root=$server_package/image container version
  version=$(dpkg-deb -f "$server_package"/polyflaked_*.deb Version)
  rm -rf "$root" "$server_image"
  mkdir -p "$root/etc/polyflake" "$root/etc/ssl/certs" "$root/tmp"
  dpkg-deb --fsys-tarfile "$server_package"/polyflaked_*.deb | tar -x -C "$root" ./usr/bin/polyflaked ./usr/share/doc/polyflaked/copyright
  copy_libraries "$root"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  echo 'polyflake:x:65532:65532::/:/sbin/nologin' >"$root/etc/passwd"
  echo 'polyflake:x:65532:' >"$root/etc/group"
  printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
  chmod 1777 "$root/tmp"
  container=$(image_tool from scratch)
  image_tool add --quiet --chown 0:0 "$container" "$root" /
  image_tool config --user 65532:65532 --entrypoint '["/usr/bin/polyflaked"]' --cmd '' --volume /etc/polyflake --stop-signal SIGTERM \
    --label "org.opencontainers.image.title=polyflaked" --label "org.opencontainers.image.version=${version%-*}" \
    --label "org.opencontainers.image.source=https://github.com/polyflake/polyflake" \
    --label "org.opencontainers.image.licenses=Apache-2.0" "$container"
  image_tool commit --quiet --format oci --timestamp 0 --rm "$container" "oci-archive:$server_image:polyflaked:${version%-*}"
}

# Copies the libraries of the program, where the loader looks for them, and their copyrights.
copy_libraries() {
  local root=$1 library package
  ldd "$root/usr/bin/polyflaked" | grep -o '/[^ ]*' | while read -r library; do
    cp --dereference --parents "$library" "$root"
    package=$(dpkg -S "*/${library##*/}" | head -n 1 | cut -d: -f1)
    cp --parents "/usr/share/doc/$package/copyright" "$root"
  done
}

# Its images are apart from those of this machine.
image_tool() {
  buildah --storage-driver vfs --root "$root_of_images/images" --runroot "$root_of_images/run" "$@"
}
root_of_images=$root/$server_package/buildah
