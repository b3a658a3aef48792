# What a shell does with processes, pipes, jobs and signals.
set -u
echo "arguments: $# $0 $1 $2"

# Pipelines, subshells, groups, substitution.
cat words | sort | uniq -c | sort -k1,1nr -k2 | head -n 3
count=$(wc -l < words)
echo "count $((count + 1)), $(echo nested $(basename /a/b/c.txt .txt))"
(cd folder && pwd && cat one; exit 7)
echo "subshell gave $?"
{ echo grouped; echo lines; } | tr a-z A-Z
false | true; echo "pipeline gave $?"
! true; echo "negated gave $?"
seq 1 1000 | { read first; read second; echo "$first $second"; cat > /dev/null; }
yes | head -n 2

# Functions, loops, case, parameters.
describe() {
  case $1 in
    *.sh) echo "$1: a script" ;;
    [a-m]*) echo "$1: in the first half" ;;
    *) echo "$1: in the second half, ${#1} letters" ;;
  esac
}
for name in *; do
  [ -f "$name" ] && [ "${name#*.}" != "$name" ] && describe "$name"
done
for name in apple pear; do describe $name; done
path=/usr/local/lib/thing.tar.gz
echo "${path##*/} ${path%%.*} ${path%.*} ${unset:-default}"
i=0
while [ $i -lt 5 ]; do
  i=$((i + 1))
  [ $i -eq 2 ] && continue
  [ $i -eq 4 ] && break
  echo "round $i"
done

# Background jobs and wait.
(sleep 2; echo slow) > slow.out &
slow=$!
(sleep 1; echo quick; exit 4) &
quick=$!
wait $quick; echo "quick gave $?"
wait $slow; echo "slow gave $?"
cat slow.out
for n in 3 1 2; do (sleep $n; echo "woke $n") & done
wait

# Signals and traps.
trap 'echo "got USR1"' USR1
kill -USR1 $$
sleep 60 &
victim=$!
kill $victim
wait $victim; echo "victim gave $?"
(trap 'echo cleaning; exit 9' TERM; while :; do sleep 1; done) &
tidy=$!
sleep 2
kill -TERM $tidy
wait $tidy; echo "tidy gave $?"
sh -c 'kill -KILL $$'; echo "killed gave $?"

# Redirections and here-documents.
exec 3> three
echo to three >&3
exec 3>&-
cat three
cat missing 2> errors; echo "cat gave $?"
cat errors
cat <<END
here is $count and $(echo more)
END
cat <<'END' | wc -c
not $expanded
END
echo both 2>&1 >> three; wc -l three
timeout 1 sleep 30; echo "timeout gave $?"
mkfifo queue
echo through the queue > queue &
cat queue
wait
printf '%s\n' a b c | while read -r letter; do echo "letter $letter"; done
find() { ls -d "$@"; }
find words missing 2>/dev/null; echo "found $?"
trap 'echo "leaving with $?"' EXIT
exit 5
