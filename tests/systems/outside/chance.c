/* Numbers that nobody knows before: random bytes from two sources, and the time. */
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  uint8_t bytes[8], more[8];
  int device = open("/dev/urandom", O_RDONLY), same = 0;
  assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  assert(device >= 0 && read(device, more, sizeof more) == sizeof more);
  for (int i = 0; i < 8; i++) same += bytes[i] == more[i];
  assert(same < 8);
  struct timeval now, later;
  assert(gettimeofday(&now, NULL) == 0);
  struct timespec rest = {.tv_nsec = 250000000};
  assert(nanosleep(&rest, NULL) == 0);
  assert(gettimeofday(&later, NULL) == 0);
  assert(later.tv_usec - now.tv_usec != 250000); // mark: guilty
  return 0;
}
