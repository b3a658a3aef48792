//@ native: no
//@ args: --sym-stdin 1 --sym-file A=1 --sym-arg 1
//@ paths: 2
// Input, file and argument are independent; one condition over all three is one fork.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

volatile int hits;

int main(int argc, char **argv) {
  unsigned char in, content;
  int fd = open("A", O_RDONLY);
  assert(argc == 2 && read(0, &in, 1) == 1 && read(fd, &content, 1) == 1);
  if ((in == 'i') & (content == 'c') & (argv[1][0] == 'a'))
    hits++;
  return close(fd);
}
