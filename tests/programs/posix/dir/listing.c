//@ native: yes
// readdir gives every entry once, with its kind, and the same order each time.
#include "../check.h"
#include <dirent.h>

static char names[2][64][16], kinds[64];

static int list(const char *path, char (*to)[16]) {
  DIR *dir = opendir(path);
  need(dir != 0, "opendir");
  int n = 0;
  for (struct dirent *e; (e = readdir(dir));) {
    kinds[n] = e->d_type == DT_DIR    ? 'd'
               : e->d_type == DT_LNK  ? 'l'
               : e->d_type == DT_FIFO ? 'p'
               : e->d_type == DT_REG  ? '-'
                                      : '?';
    strcpy(to[n++], e->d_name);
  }
  closedir(dir);
  return n;
}

int main(void) {
  char name[16];
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "f%02d", i * 7 % 20);
    put(name, "x");
  }
  need(mkdir("dir", 0755) == 0 && symlink("none", "link") == 0 && mkfifo("fifo", 0600) == 0, "preparation");
  int n = list(".", names[0]), m = list(".", names[1]);
  NUM(n);
  IS(n == m && memcmp(names[0], names[1], sizeof names[0]) == 0);
  for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++)
      if (strcmp(names[0][i], names[0][k]) > 0) {
        memcpy(name, names[0][i], 16), memcpy(names[0][i], names[0][k], 16), memcpy(names[0][k], name, 16);
        char kind = kinds[i];
        kinds[i] = kinds[k], kinds[k] = kind;
      }
  for (int i = 0; i < n; i++)
    printf("%c %s\n", kinds[i], names[0][i]);
  NUM(list("dir", names[1]));
  PTR(opendir("none"));
  PTR(opendir("f00"));
  PTR(opendir(""));
  return 0;
}
