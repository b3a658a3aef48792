// A FIFO is opened for reading and nobody opens it for writing.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  if (mkfifo("queue", 0600))
    return 1;
  return open("queue", O_RDONLY) < 0; // expect: bug deadlock
}
