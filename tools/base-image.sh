#!/usr/bin/env bash
# Makes a base image where none can be pulled: the smallest Debian, of this machine's release and from its mirror, with the Node
# and npm that run here and the certificates that this machine trusts. As root; needs debootstrap and an engine.
# usage: tools/base-image.sh IMAGE
set -euo pipefail
image=${1:?usage: tools/base-image.sh IMAGE}
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' 2>/dev/null |
  awk -v release="$release" '$2 == release { print $1; exit }')
# Nothing of this has to survive a power loss.
mkdir -p "$root/etc/dpkg/dpkg.cfg.d" && echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
  { tail -20 "$root.log" >&2; exit 1; }
rm -rf "$root.log" "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,locale,man}

node=$(command -v node) npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules" "$root/etc/ssl/certs"
cp -L "$node" "$root/usr/local/bin/node"
cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
# Libraries of Node that the smallest Debian lacks.
ldd "$node" | awk '/=> \// { print $3 }' | while read -r library; do
  [ -e "$root$library" ] || install -D "$library" "$root$library"
done

changes=(--change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin')
trusted=/etc/ssl/certs/ca-certificates.crt
for bundle in "${NODE_EXTRA_CA_CERTS:-}" $trusted; do
  [ -f "$bundle" ] || continue
  cp -L "$bundle" "$root$trusted"
  changes+=(--change "ENV NODE_EXTRA_CA_CERTS=$trusted")
  break
done
tar -C "$root" -c . | docker import "${changes[@]}" - "$image" >/dev/null
echo "made $image: Debian $release, Node $("$node" --version)"
