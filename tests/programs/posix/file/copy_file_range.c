//@ native: yes
// copy_file_range copies between two files, and refuses what is no file or overlaps.
#include "../check.h"

int main(void) {
  put("from", "0123456789");
  int in = OK(open("from", O_RDWR)), out = OK(open("to", O_RDWR | O_CREAT, 0600));
  SHOW(copy_file_range(in, 0, out, 0, 4, 0));
  SHOW(lseek(in, 0, SEEK_CUR));
  SHOW(lseek(out, 0, SEEK_CUR));
  off_t from = 6, to = 10;
  SHOW(copy_file_range(in, &from, out, &to, 100, 0));
  NUM(from);
  NUM(to);
  SHOW(lseek(in, 0, SEEK_CUR));
  SHOW(copy_file_range(in, &from, out, &to, 100, 0));
  SHOW(copy_file_range(in, 0, out, 0, 0, 0));
  cat("to");
  from = 0, to = 5;
  SHOW(copy_file_range(in, &from, in, &to, 5, 0));
  cat("from");
  from = 0, to = 2;
  SHOW(copy_file_range(in, &from, in, &to, 5, 0));
  SHOW(copy_file_range(in, 0, out, 0, 1, 99));
  SHOW(copy_file_range(-1, 0, out, 0, 1, 0));
  SHOW(copy_file_range(in, 0, -1, 0, 1, 0));
  from = -1;
  SHOW(copy_file_range(in, &from, out, 0, 1, 0));
  int readonly = OK(open("to", O_RDONLY)), writeonly = OK(open("from", O_WRONLY));
  int appending = OK(open("to", O_WRONLY | O_APPEND)), dir = OK(open(".", O_RDONLY));
  SHOW(copy_file_range(in, 0, readonly, 0, 1, 0));
  SHOW(copy_file_range(writeonly, 0, out, 0, 1, 0));
  SHOW(copy_file_range(in, 0, appending, 0, 1, 0));
  SHOW(copy_file_range(dir, 0, out, 0, 1, 0));
  int pair[2];
  SHOW(pipe(pair));
  SHOW(copy_file_range(in, 0, pair[1], 0, 1, 0));
  close(pair[0]), close(pair[1]), close(appending), close(dir), close(readonly), close(writeonly);
  return close(in) | close(out);
}
