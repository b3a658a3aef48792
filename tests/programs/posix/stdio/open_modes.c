//@ native: yes
// The modes of fopen: what must exist, what is emptied, where reading and writing start.
#include "../check.h"

static void try_mode(const char *path, const char *mode) {
  errno = 0;
  FILE *f = fopen(path, mode);
  if (!f) {
    printf("%s %s: %s\n", path, mode, errno_name(errno));
    return;
  }
  char text[16] = "";
  size_t n = fread(text, 1, 15, f);
  printf("%s %s: read %zu [%s]%s", path, mode, n, text, ferror(f) ? " error" : "");
  clearerr(f);
  fseek(f, 0, SEEK_SET);
  int r = fputs("new", f);
  printf(", wrote %d, flushed %d\n", r >= 0, fflush(f));
  fclose(f);
  if (access(path, R_OK) == 0)
    cat(path);
}

int main(void) {
  static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "rb", "r+b", "rb+", "we", "wx", "w+x"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    put("file", "0123456789");
    try_mode("file", modes[i]);
    unlink("new");
    try_mode("new", modes[i]);
  }
  try_mode("file", "z");
  try_mode(".", "w");
  try_mode("none/file", "w");
  FILE *f = fopen("file", "re");
  SHOW(fcntl(fileno(f), F_GETFD));
  return fclose(f);
}
