#!/bin/sh
# Replays a test of a system natively; see README beside this file.
#
#   ./replay.sh [--loopback] [--gdb NODE] [--core] [--keep] [--patience MS]
#
# Exit code: 0 if the finding is reproduced, 1 if it is not, 2 if the test cannot be run.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 2
mode=${EVERETT_REPLAY_MODE-}
loopback= options= keep= gdb= core=

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
    --gdb) shift; gdb=${1-}; options="$options gdb=$gdb" ;;
    --patience) shift; options="$options patience=${1-}" ;;
    *) refuse "there is no option $1" ;;
    esac
    shift
  done
}
parse "$@"

# Begins again in namespaces of its own: of the network, and of mounts. Who is not root needs one of users
# as well.
if [ -z "$mode" ]; then
  user=
  [ "$(id -u)" = 0 ] || user=--map-root-user
  if [ -z "$loopback" ]; then
    if ! command -v ip >/dev/null; then
      echo "note: the command ip (iproute2) is missing, so all nodes are on one network stack" >&2
    elif unshare $user --net --mount ip link add everett type bridge 2>/dev/null; then
      EVERETT_REPLAY_MODE=network exec unshare $user --net --mount sh "$here/replay.sh" "$@"
    else
      echo "note: network namespaces are refused, so all nodes are on one network stack" >&2
    fi
  fi
  if unshare $user --mount true 2>/dev/null; then
    EVERETT_REPLAY_MODE=loopback exec unshare $user --mount sh "$here/replay.sh" "$@"
  fi
  [ -z "$user" ] || refuse "neither namespaces nor chroot are permitted; run it as root"
  mode=loopback
fi

run=$(mktemp -d "${TMPDIR-/tmp}/everett-replay.XXXXXX") || exit 2
finish() {
  [ -n "$keep" ] || rm -rf "$run"
}
trap finish EXIT
trap 'exit 2' HUP INT TERM

# The files of the nodes: a copy for this run, as programs write to them, with the permissions they have.
(umask 0 && cp -R "$here/nodes/." "$run" && cp "$here/script" "$run/script") || refuse "cannot write to $run"
chmod 0755 "$run" && chmod 0666 "$run/script"
for root in "$run"/n*.*/; do
  ln "$run/script" "$root/.everett/script" || refuse "cannot write to $root"
done

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

if [ -z "$gdb" ]; then
  "$here/conductor" "$here/plan" "$run" $options
  code=$?
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
mkdir -p "$here/last" && cp "$run"/*.out "$run"/*.err "$here/last" 2>/dev/null
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
