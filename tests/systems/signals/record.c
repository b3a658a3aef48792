/* A program writes records of two lines to a file, and a signal asks it to write a mark. The handler of a careless program
 * writes the mark itself, wherever the program is: it may be in the middle of a record. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int file;
static volatile sig_atomic_t asked;

static void put(const char *line) { assert(write(file, line, 2) == 2); }

static void mark_at_once(int number) {
  (void)number;
  put("-\n");
}

static void remember(int number) {
  (void)number;
  asked = 1;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  file = open("records", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(file >= 0);
  assert(signal(SIGUSR2, careful ? remember : mark_at_once) != SIG_ERR);
  for (int i = 0; i < 2; i++) {
    put("a\n");
    put("b\n");
    if (asked) {
      asked = 0;
      put("-\n");
    }
  }
  assert(signal(SIGUSR2, SIG_IGN) != SIG_ERR);
  char text[16] = "";
  ssize_t size = pread(file, text, sizeof text - 1, 0);
  assert(size >= 8 && size <= 12);
  for (ssize_t i = 0; i < size; i += 2)
    assert(text[i] != 'a' || text[i + 2] == 'b'); // mark: mixed
  return 0;
}
