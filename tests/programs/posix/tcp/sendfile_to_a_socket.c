// sendfile and splice into a connection.
#include "../socket/net.h"
#include <sys/sendfile.h>

int main(void) {
  int pair[2];
  tcp_pair(pair);
  put("page", "the content of a file");
  int fd = open("page", O_RDONLY);
  off_t offset = 4;
  SHOW(sendfile(pair[0], fd, &offset, 7));
  NUM(offset);
  get("part", pair[1], 64, 0);
  SHOW(sendfile(pair[0], fd, NULL, 100));
  get("whole", pair[1], 64, 0);
  SHOW(sendfile(pair[0], pair[1], NULL, 1));
  int ends[2];
  need(pipe(ends) == 0 && write(ends[1], "through a pipe", 14) == 14, "pipe");
  SHOW(splice(ends[0], NULL, pair[0], NULL, 100, 0));
  get("spliced", pair[1], 64, 0);
  return 0;
}
