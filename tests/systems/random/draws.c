/* Draws numbers with the functions of the BSDs, and lets another process know of all of them. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The headers of musl have none of them. */
uint32_t arc4random(void);
void arc4random_buf(void *to, size_t size);
uint32_t arc4random_uniform(uint32_t bound);

int main(void) {
  int ends[2], status;
  unsigned char many[600];
  uint32_t drawn[10], most = 0;
  assert(pipe(ends) == 0);
  if (fork() == 0) {
    assert(read(ends[0], many, sizeof many) == sizeof many && read(ends[0], drawn, sizeof drawn) == sizeof drawn);
    _exit((many[599] ^ drawn[9]) & 1);
  }
  arc4random_buf(many, sizeof many);
  assert(write(ends[1], many, sizeof many) == sizeof many);
  /* Nearly half of all values are drawn again. */
  for (int i = 0; i < 8; i++) {
    drawn[i] = arc4random_uniform(0x80000001u);
    if (drawn[i] > most) most = drawn[i];
  }
  drawn[8] = arc4random_uniform(1);
  drawn[9] = arc4random();
  assert(most <= 0x80000000u && drawn[8] == 0);
  assert(write(ends[1], drawn, sizeof drawn) == sizeof drawn);
  assert(wait(&status) > 0);
  assert((WEXITSTATUS(status) ^ many[599] ^ drawn[9]) & 1); // mark: guilty
  return 0;
}
