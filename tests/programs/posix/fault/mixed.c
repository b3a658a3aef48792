//@ native: no
//@ args: --max-reboots 1 --torn-files 1 --max-pauses 1 --short-writes 1 --max-sys-fail 1 --sys-fail write,fsync --clock-jumps 1
// Faults of several kinds on one path happen again where they happened.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int file = open("log", O_RDWR | O_CREAT | O_APPEND, 0600);
  char bytes[16];
  printf("%ld found at %ld\n", (long)read(file, bytes, 16), (long)time(NULL));
  long first = write(file, "abc", 3);
  int synced = fsync(file);
  long second = write(file, "defg", 4);
  printf("%ld %d %ld at %ld\n", first, synced, second, (long)time(NULL));
  return 0;
}
