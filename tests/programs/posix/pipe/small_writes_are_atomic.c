// Up to PIPE_BUF bytes go all or not at all; more may go in part. Records of many writers stay whole.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITERS = 3, RECORDS = 8, SIZE = 512 };

static char data[65536];

static void put(const char *what, int fd, size_t size) {
  errno = 0;
  ssize_t done = write(fd, data, size);
  printf("%s: %zd%s\n", what, done, errno == EAGAIN ? " EAGAIN" : "");
}

int main(void) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK))
    return 1;
  printf("PIPE_BUF %d\n", PIPE_BUF);
  put("15 pages", ends[1], 15 * 4096);
  put("two more", ends[1], 2 * 4096);
  put("none", ends[1], 4096);
  printf("%zd\n", read(ends[0], data, 4096));
  put("3000", ends[1], 3000);
  put("2000 where 1096 fit", ends[1], 2000);
  close(ends[0]);
  close(ends[1]);

  if (pipe(ends))
    return 1;
  fflush(stdout);
  for (int writer = 0; writer < WRITERS; writer++)
    if (fork() == 0) {
      char record[SIZE];
      memset(record, 'a' + writer, SIZE);
      for (int i = 0; i < RECORDS; i++)
        if (write(ends[1], record, SIZE) != SIZE)
          _exit(1);
      _exit(0);
    }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  int counts[WRITERS] = {0}, torn = 0;
  char record[SIZE];
  while (fread(record, SIZE, 1, in) == 1) {
    for (int i = 1; i < SIZE; i++)
      torn += record[i] != record[0];
    counts[record[0] - 'a']++;
  }
  for (int i = 0; i < WRITERS; i++)
    wait(NULL);
  printf("%d %d %d, torn %d\n", counts[0], counts[1], counts[2], torn);
  fclose(in);
  return 0;
}
