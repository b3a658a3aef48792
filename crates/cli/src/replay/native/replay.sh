#!/bin/sh
# Replays a test of a system natively; see README beside this file.
#
#   ./replay.sh [--loopback] [--times N] [--gdb NODE] [--core] [--keep] [--patience MS]
#
# Exit code: 0 if the finding is reproduced, 1 if it is not, 2 if the test cannot be run.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 2
mode=${EVERETT_REPLAY_MODE-}
loopback= options= keep= gdb= core= times=1

refuse() {
  echo "cannot be replayed: $*" >&2
  exit 2
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
    --loopback) loopback=yes ;;
    --core) core=yes; options="$options core" ;;
    --keep) keep=yes ;;
    --times) shift; times=${1-} ;;
    --gdb) shift; gdb=${1-}; options="$options gdb=$gdb" ;;
    --patience) shift; options="$options patience=${1-}" ;;
    *) refuse "there is no option $1" ;;
    esac
    shift
  done
}
parse "$@"
[ "$times" -gt 0 ] 2>/dev/null || refuse "--times needs a number"

# Begins again in namespaces of its own: of the network, and of mounts. Who is not root needs one of users
# as well.
if [ -z "$mode" ]; then
  user= why=
  [ "$(id -u)" = 0 ] || user=--map-root-user
  if [ -z "$loopback" ]; then
    if ! command -v ip >/dev/null; then
      why="the command ip (iproute2) is missing"
    elif unshare $user --net --mount ip link add everett type bridge 2>/dev/null; then
      EVERETT_REPLAY_MODE=network exec unshare $user --net --mount sh "$here/replay.sh" "$@"
    else
      why="network namespaces are refused"
    fi
  fi
  tell() {
    [ -z "$why" ] || echo "note: $why, so all nodes are on one network stack" >&2
  }
  if unshare $user --mount true 2>/dev/null; then
    tell
    EVERETT_REPLAY_MODE=loopback exec unshare $user --mount sh "$here/replay.sh" "$@"
  fi
  # Without any of this, the library keeps the files of the nodes apart.
  if ! chroot / true 2>/dev/null; then
    why="neither namespaces nor chroot are permitted"
    options="$options rootless"
  fi
  tell
  mode=loopback
fi

place=$(mktemp -d "${TMPDIR-/tmp}/everett-replay.XXXXXX") || exit 2
finish() {
  [ -z "$mounted" ] || umount -l "$place"
  [ -n "$keep" ] || rm -rf "$place"
}
# In memory, where mounts are its own and nobody wants the files: that is several times as fast.
mounted=
[ -z "${EVERETT_REPLAY_MODE-}" ] || [ -n "$keep" ] || ! mount -t tmpfs -o mode=755 tmpfs "$place" || mounted=yes
trap finish EXIT
trap 'exit 2' HUP INT TERM
run=$place/run

# Links that lead to the root of a node lead to its folder, where that is not the root.
keep_links() {
  find "$1" -type l | while read -r link; do
    target=$(readlink "$link")
    case $target in
    /proc | /proc/* | /dev | /dev/*) ;;
    /*) ln -sfn "$1$target" "$link" ;;
    esac
  done
}

copy() {
  rm -rf "$run" && mkdir "$run" && (umask 0 && cp -R "$here/nodes/." "$run" && cp "$here/script" "$run/script")
}

# The files of the nodes: a copy for each run, as programs write to them, with the permissions they have.
prepare() {
  if ! copy; then
    # What has no room in memory may have some on the disk.
    [ -n "$mounted" ] && umount -l "$place" && mounted= && copy || refuse "cannot write to $run"
  fi
  chmod 0755 "$run" && chmod 0666 "$run/script"
  for root in "$run"/n*.*/; do
    ln "$run/script" "$root/.everett/script" || refuse "cannot write to $root"
    case $options in
    *rootless*) keep_links "${root%/}" ;;
    esac
  done
}

network() {
  mount -t tmpfs tmpfs /run && mkdir -p /run/netns || return 1
@NETWORK@}

if [ "$mode" = network ]; then
  network || refuse "the networks cannot be made"
  # Nothing is sent before all links are up.
  tries=0
  while ip -o link show type veth | grep -v 'state UP' | grep -q . && [ $tries -lt 500 ]; do
    sleep 0.01
    tries=$((tries + 1))
  done
else
  options="$options loopback"
fi

symbolizer=
for tool in ${EVERETT_SYMBOLIZER-} llvm-symbolizer addr2line; do
  [ -n "$symbolizer" ] || ! command -v "$tool" >/dev/null || symbolizer=$tool
done

# Sanitizers name places in the file of a program, as there are no tools in a node. Copies what they say of a
# node, with the lines of its source instead.
located() {
  root=$(awk -v node="$1" '$1 == "node" { now = $2 } $1 == "boot" && now == node { print $2; exit }' "$here/plan")
  program=$here/nodes/$root/.everett/program
  cat >"$run/said"
  : >"$run/lines"
  for place in $(grep -o '/\.everett/program+0x[0-9a-f]*)' "$run/said" | sed 's/.*+//; s/)//' | sort -u); do
    # The function and the line, or the function alone, or nothing.
    found=$("$symbolizer" -f -C -e "$program" "$place" 2>/dev/null | sed -n '1,2{/^??/d;s/[&|\\]/\\&/g;p}' | tr '\n' ' ')
    found=${found% }
    [ -z "$found" ] || echo "s|([^()]*/\.everett/program+$place)\( (BuildId: [0-9a-f]*)\)\{0,1\}|in $found|g" >>"$run/lines"
  done
  sed -f "$run/lines" "$run/said"
}

prepare
if [ -z "$gdb" ]; then
  number=1
  "$here/conductor" "$here/plan" "$run" $options 2>"$run/judged"
  code=$?
  while [ $code = 0 ] && [ $number -lt "$times" ]; do
    prepare
    number=$((number + 1))
    "$here/conductor" "$here/plan" "$run" $options 2>"$run/judged"
    code=$?
  done
  [ "$times" = 1 ] || echo "replay $number of $times:" >&2
  node=$(sed -n 's/.*node \([^ ]*\) is stopped, SUMMARY: .*/\1/p' "$run/judged")
  if [ -n "$node" ] && [ -n "$symbolizer" ]; then
    verdict=$(located "$node" <"$run/judged")
    # A function of the C library has no lines: then its caller's tells.
    case $verdict in
    *SUMMARY:*:[0-9]*) ;;
    *) verdict="$verdict, $(located "$node" <"$run/$node.err" | sed -n '/^ *#[0-9].*:[0-9]/{s/.* in /called in /p;q}')" ;;
    esac
    echo "$verdict" >&2
  else
    cat "$run/judged" >&2
  fi
else
  "$here/conductor" "$here/plan" "$run" $options &
  conductor=$!
  until [ -s "$run/gdb" ] || ! kill -0 $conductor 2>/dev/null; do sleep 0.05; done
  read -r pid root <"$run/gdb" || refuse "the node has not been started"
  until grep -q '^State:.T' "/proc/$pid/status" 2>/dev/null || ! [ -e "/proc/$pid" ]; do sleep 0.05; done
  gdb -q -iex "set sysroot $root" -iex "handle SIGSTOP nostop noprint nopass" -p "$pid" \
    -ex "tbreak main" -ex continue "$root/.everett/program"
  wait $conductor
  code=$?
fi
if mkdir -p "$here/last" 2>/dev/null && [ -w "$here/last" ]; then
  cp "$run"/*.out "$run"/*.err "$here/last" 2>/dev/null
  for file in $(grep -l '/\.everett/program+0x' "$run"/*.err 2>/dev/null); do
    name=${file##*/}
    [ -z "$symbolizer" ] || located "${name%.err}" <"$file" >"$here/last/$name"
  done
fi
if [ -n "$core" ]; then
  found=$(find "$run" -xdev -type f \( -name core -o -name 'core.[0-9]*' \) | head -n 1)
  if [ -n "$found" ]; then
    root=${found#"$run/"}
    cp "$found" "$here/last/core"
    echo "core file: gdb $here/nodes/${root%%/*}/.everett/program $here/last/core" >&2
  else
    echo "note: no core file was left; /proc/sys/kernel/core_pattern says $(cat /proc/sys/kernel/core_pattern)" >&2
  fi
fi
[ -z "$keep" ] || echo "files of the nodes: $run" >&2
exit $code
