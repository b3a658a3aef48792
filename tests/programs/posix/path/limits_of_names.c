//@ native: yes
// A component has at most 255 bytes, a path fewer than 4096; deeper trees are reached step by step.
#include "../check.h"
#include <limits.h>

static char name[300], path[5000];

int main(void) {
  memset(name, 'n', 255);
  SHOW(mkdir(name, 0755));
  name[255] = 'n';
  SHOW(mkdir(name, 0755));
  SHOW(access(name, F_OK));
  name[255] = 0;
  // 15 parts of 256 bytes and one of 255 make 4095.
  for (int i = 0; i < 16; i++) {
    need(i == 0 || mkdir(name, 0755) == 0, "mkdir");
    need(chdir(name) == 0, "chdir");
  }
  SHOW(mkdir("deep", 0755));
  for (int i = 0; i < 16; i++)
    need(chdir("..") == 0, "chdir");
  for (int i = 0; i < 16; i++)
    memcpy(path + 256 * i, name, 255), path[256 * i + 255] = '/';
  path[4095] = 0;
  NUM(strlen(path));
  SHOW(access(path, F_OK));
  strcpy(path + 4095, "/");
  SHOW(access(path, F_OK));
  SHOW(pathconf(".", _PC_NAME_MAX));
  SHOW(pathconf(".", _PC_PATH_MAX));
  NUM(PATH_MAX);
  NUM(NAME_MAX);
  return 0;
}
