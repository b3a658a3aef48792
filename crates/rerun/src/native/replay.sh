#!/bin/sh
# Replays a test of a system natively; see README beside this file.
#
#   ./replay.sh [--loopback] [--times N] [--gdb NODE] [--core] [--keep] [--patience MS]
#
# Exit code: 0 if the finding is reproduced, 1 if it is not, 2 if the test cannot be run.
#
# Nothing is deleted but the folder that mktemp has made, whose name cannot be assigned again. The body of a
# function that has variables of its own is in parentheses: it runs in a shell of its own, and changes no others.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
readonly here
mode=${EVERETT_REPLAY_MODE-}
loopback='' rootless='' keep='' gdb='' core='' patience='' times=1

refuse() {
  echo "cannot be replayed: $*" >&2
  exit 2
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
    --loopback) loopback=yes ;;
    --core) core=yes ;;
    --keep) keep=yes ;;
    --times) shift; times=${1-} ;;
    --gdb) shift; gdb=${1-} ;;
    --patience) shift; patience=${1-} ;;
    *) refuse "there is no option $1" ;;
    esac
    [ $# -gt 0 ] || refuse "the last option needs a value"
    shift
  done
}
parse "$@"
[ "$times" -gt 0 ] 2>/dev/null || refuse "--times needs a number"
readonly loopback keep gdb core patience times

# Begins again in namespaces of its own: of the network, and of mounts. Who is not root needs one of users
# as well.
begin_apart() {
  if [ "$(id -u)" = 0 ]; then
    exec unshare "$@"
  else
    exec unshare --map-root-user "$@"
  fi
}

if [ -z "$mode" ]; then
  why=''
  if [ -z "$loopback" ]; then
    if ! command -v ip >/dev/null; then
      why="the command ip (iproute2) is missing"
    elif (begin_apart --net --mount ip link add everett type bridge) 2>/dev/null; then
      export EVERETT_REPLAY_MODE=network
      begin_apart --net --mount sh "$here/replay.sh" "$@"
    else
      why="network namespaces are refused"
    fi
  fi
  tell() {
    [ -z "$why" ] || echo "note: $why, so all nodes are on one network stack" >&2
  }
  if (begin_apart --mount true) 2>/dev/null; then
    tell
    export EVERETT_REPLAY_MODE=loopback
    begin_apart --mount sh "$here/replay.sh" "$@"
  fi
  # Without any of this, the library keeps the files of the nodes apart.
  if ! chroot / true 2>/dev/null; then
    why="neither namespaces nor chroot are permitted"
    rootless=yes
  fi
  tell
  mode=loopback
fi
readonly mode rootless

# What is left behind is nothing, whatever ends the replay.
place='' mounted='' conductor=''
# shellcheck disable=SC2317 # it is called by a trap
finish() {
  trap '' HUP INT TERM
  if [ -n "$conductor" ]; then
    kill "$conductor" 2>/dev/null
    wait "$conductor"
  fi
  case $place in
  */everett-replay.??????)
    [ -z "$mounted" ] || umount -l "$place"
    [ -n "$keep" ] || rm -rf -- "$place"
    ;;
  esac
}
trap finish EXIT
trap 'exit 2' HUP INT TERM
place=$(mktemp -d "${TMPDIR:-/tmp}/everett-replay.XXXXXX") || exit 2
readonly place
readonly run="$place/run"
# In memory, where mounts are its own and nobody wants the files: that is several times as fast.
[ -z "${EVERETT_REPLAY_MODE-}" ] || [ -n "$keep" ] || ! mount -t tmpfs -o mode=755 tmpfs "$place" || mounted=yes

# Links that lead to the root of a node lead to its folder, where that is not the root.
keep_links() (
  # shellcheck disable=SC2016 # the inner shell expands it
  find "$1" -type l -exec sh -c '
    root=$1
    shift
    for link; do
      target=$(readlink "$link")
      case $target in
      /proc | /proc/* | /dev | /dev/*) ;;
      /*) ln -sfn "$root$target" "$link" ;;
      esac
    done' sh "$1" {} +
)

copy() {
  rm -rf -- "$run" && mkdir "$run" && (umask 0 && cp -R "$here/nodes/." "$run" && cp "$here/script" "$run/script")
}

# Each node has the script below its root.
furnish() (
  for root in "$run"/n*.*/; do
    ln "$run/script" "$root/.everett/script" || exit 1
    [ -z "$rootless" ] || keep_links "${root%/}"
  done
)

# The files of the nodes: a copy for each run, as programs write to them, with the permissions they have.
prepare() {
  if ! copy; then
    # What has no room in memory may have some on the disk.
    if [ -n "$mounted" ] && umount -l "$place"; then
      mounted=''
      copy || refuse "cannot write to $run"
    else
      refuse "cannot write to $run"
    fi
  fi
  if ! chmod 0755 "$run" || ! chmod 0666 "$run/script" || ! furnish; then
    refuse "cannot write to $run"
  fi
}

network() {
  mount -t tmpfs tmpfs /run && mkdir -p /run/netns || return 1
  # The networks of the test: @NETWORK@
}

if [ "$mode" = network ]; then
  network || refuse "the networks cannot be made"
  # Nothing is sent before all links are up.
  tries=0
  while ip -o link show type veth | grep -v 'state UP' | grep -q . && [ $tries -lt 500 ]; do
    sleep 0.01
    tries=$((tries + 1))
  done
fi

symbolizer=''
for tool in "${EVERETT_SYMBOLIZER-}" llvm-symbolizer addr2line; do
  [ -n "$symbolizer" ] || ! command -v "$tool" >/dev/null || symbolizer=$tool
done
readonly symbolizer

# Sanitizers name places in the file of a program, as there are no tools in a node. Copies what they say of a
# node, with the lines of its source instead.
located() (
  root=$(awk -v node="$1" '$1 == "node" { now = $2 } $1 == "boot" && now == node { print $2; exit }' "$here/plan")
  program=$here/nodes/$root/.everett/program
  cat >"$run/said"
  grep -o '/\.everett/program+0x[0-9a-f]*)' "$run/said" | sed 's/.*+//; s/)//' | sort -u >"$run/offsets"
  while read -r offset; do
    # The function and the line, or the function alone, or nothing.
    found=$("$symbolizer" -f -C -e "$program" "$offset" 2>/dev/null | sed -n '1,2{/^??/d;s/[&|\]/\\&/g;p}' | tr '\n' ' ')
    found=${found% }
    [ -z "$found" ] || echo "s|([^()]*/\.everett/program+$offset)\( (BuildId: [0-9a-f]*)\)\{0,1\}|in $found|g"
  done <"$run/offsets" >"$run/lines"
  sed -f "$run/lines" "$run/said"
)

# Starts the conductor. It is waited for, and not run, so that a signal is not kept waiting.
start() {
  set -- "$here/plan" "$run"
  [ "$mode" = network ] || set -- "$@" loopback
  [ -z "$rootless" ] || set -- "$@" rootless
  [ -z "$core" ] || set -- "$@" core
  [ -z "$gdb" ] || set -- "$@" "gdb=$gdb"
  [ -z "$patience" ] || set -- "$@" "patience=$patience"
  "$here/conductor" "$@" &
  conductor=$!
}

ended() {
  wait "$conductor"
  code=$?
  conductor=''
}

# What the conductor has said, with lines of the source where it is about a report of a sanitizer.
tell_verdict() (
  node=$(sed -n 's/.*node \([^ ]*\) is stopped, SUMMARY: .*/\1/p' "$run/judged")
  if [ -z "$node" ] || [ -z "$symbolizer" ]; then
    cat "$run/judged"
    exit
  fi
  verdict=$(located "$node" <"$run/judged")
  # A function of the C library has no lines: then its caller's tells.
  case $verdict in
  *SUMMARY:*:[0-9]*) ;;
  *) verdict="$verdict, $(located "$node" <"$run/$node.err" | sed -n '/^ *#[0-9].*:[0-9]/{s/.* in /called in /p;q}')" ;;
  esac
  echo "$verdict"
)

# Keeps what the programs have printed beside the replay.
keep_outputs() (
  mkdir -p "$here/last" 2>/dev/null && [ -w "$here/last" ] || exit
  cp "$run"/*.out "$run"/*.err "$here/last" 2>/dev/null
  [ -n "$symbolizer" ] || exit
  for file in "$run"/*.err; do
    name=${file##*/}
    ! grep -q '/\.everett/program+0x' "$file" 2>/dev/null || located "${name%.err}" <"$file" >"$here/last/$name"
  done
)

keep_core() (
  found=$(find "$run" -xdev -type f \( -name core -o -name 'core.[0-9]*' \) | head -n 1)
  if [ -n "$found" ]; then
    root=${found#"$run/"}
    cp "$found" "$here/last/core"
    echo "core file: gdb $here/nodes/${root%%/*}/.everett/program $here/last/core"
  else
    echo "note: no core file was left; /proc/sys/kernel/core_pattern says $(cat /proc/sys/kernel/core_pattern)"
  fi
)

debug() (
  until [ -s "$run/gdb" ] || ! kill -0 "$conductor" 2>/dev/null; do sleep 0.05; done
  read -r pid root <"$run/gdb" || refuse "the node has not been started"
  until grep -q '^State:.T' "/proc/$pid/status" 2>/dev/null || ! [ -e "/proc/$pid" ]; do sleep 0.05; done
  gdb -q -iex "set sysroot $root" -iex "handle SIGSTOP nostop noprint nopass" -p "$pid" \
    -ex "tbreak main" -ex continue "$root/.everett/program"
)

code=0
number=0
while [ $code = 0 ] && [ $number -lt "$times" ]; do
  prepare
  number=$((number + 1))
  if [ -n "$gdb" ]; then
    start
    debug || [ $? != 2 ] || exit 2
    ended
  else
    start 2>"$run/judged"
    ended
  fi
done
[ "$times" = 1 ] || echo "replay $number of $times:" >&2
[ -n "$gdb" ] || tell_verdict >&2
keep_outputs
[ -z "$core" ] || keep_core >&2
[ -z "$keep" ] || echo "files of the nodes: $run" >&2
exit $code
