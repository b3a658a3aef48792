//@ args: --check races
// A block is copied, and a string is measured, while another thread writes into them.
#include <pthread.h>
#include <string.h>

static char block[64], text[16] = "text";
static volatile size_t bytes = 40;
static volatile char sink;

static void *writer(void *none) {
  ((volatile char *)block)[17] = 3;
  ((volatile char *)text)[2] = 'o';
  return none;
}

static void *reader(void *none) {
  char own[64];
  memcpy(own, block, bytes); // expect: bug data-race
  for (int i = 0; i < 40; i++) sink += own[i];
  sink += strlen(text); // expect: bug data-race
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
