//@ native: yes
//@ cflags: -Wl,--no-as-needed,-lcrypt
// Passwords: the methods of musl, and the settings that the functions of libxcrypt make for them.
#include "../check.h"
#include <crypt.h>

static const char salt[] = "0123456789abcdef";
static char setting[192], data[32768];

static void make(const char *prefix, unsigned long count, int n, int size) {
  errno = 0;
  char *made = crypt_gensalt_rn(prefix, count, salt, n, setting, size);
  printf("[%s] %lu %d: %s %s\n", prefix, count, n, made ? made : "none", errno_name(errno));
}

int main(void) {
  make("$6$", 0, 16, 192);
  make("$5$", 2000, 6, 192);
  make("$1$", 0, 6, 192);
  make("$2b$", 6, 16, 192);
  make("", 0, 2, 192);
  make("$z$", 0, 16, 192);
  puts(crypt("password", "kl"));
  puts(crypt("Hello world!", "$1$abcd0123$"));
  char *made = crypt_gensalt("$1$", 0, 0, 0);
  IS(!strcmp(crypt_rn("key", made, data, sizeof data), crypt("key", made)));
  void *grown = 0;
  int size = 0;
  IS(!strcmp(crypt_ra("key", made, &grown, &size), data));
  free(grown);
  IS(!crypt_rn("key", "*", data, sizeof data));
  NUM(crypt_checksalt("$6$x$") * 100 + crypt_checksalt("ab") * 10 + crypt_checksalt("*"));
  return 0;
}
