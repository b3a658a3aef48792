//@ native: no
//@ args: --max-reboots 1
//@ paths: 10
// Memory is fresh after a reboot, clocks and numbers of processes begin anew, inputs go on being numbered, and files
// are what was synced.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "klee/klee.h"

static int runs;

int main(void) {
  struct timespec up, day;
  clock_gettime(CLOCK_MONOTONIC, &up);
  clock_gettime(CLOCK_REALTIME, &day);
  assert(up.tv_sec == 100 && ++runs == 1 && getpid() == 100);
  int file = open("runs", O_RDWR | O_CREAT, 0600), folder = open(".", O_RDONLY);
  char bytes[8];
  int before = (int)read(file, bytes, 8);
  // It was down for ten seconds, or it was not.
  assert(day.tv_sec == 1577836800 || day.tv_sec == 1577836810);
  assert(fsync(folder) == 0);
  char input;
  klee_make_symbolic(&input, 1, "input");
  printf("%d %d\n", before, input > 5);
  fflush(stdout);
  // Crashes differ before `open` and behind each of the two calls of `fsync`, and the next run has two inputs: 2 paths
  // after the first and 2 after the second, and for each of the two inputs here 1 without a crash and 2 after the third.
  assert(before <= 1);
  if (before == 0) {
    assert(write(file, "x", 1) == 1 && fsync(file) == 0);
    assert(mkdirat(folder, "last", 0700) == 0);
  }
  return 0;
}
