//@ native: yes
// /proc/self shows the process: its descriptors as links, its number, its working directory.
#include "../check.h"
#include <dirent.h>

int main(void) {
  char path[64], text[4200], here[4200];
  struct stat st;
  SHOW(stat("/proc/self", &st));
  IS(S_ISDIR(st.st_mode));
  ssize_t n = readlink("/proc/self", text, sizeof text - 1);
  need(n > 0, "readlink");
  text[n] = 0;
  IS(atoi(text) == getpid());
  put("file", "content");
  int fd = OK(open("file", O_RDONLY));
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  n = readlink(path, text, sizeof text - 1);
  need(n > 0, "readlink");
  text[n] = 0;
  IS(getcwd(here, sizeof here) && strncmp(text, here, strlen(here)) == 0);
  puts(strrchr(text, '/'));
  int again = open(path, O_RDONLY);
  IS(again >= 0);
  SHOW(read(again, text, 7));
  SHOW(lseek(fd, 0, SEEK_CUR));
  n = readlink("/proc/self/cwd", text, sizeof text - 1);
  need(n > 0, "readlink");
  text[n] = 0;
  IS(strcmp(text, here) == 0);
  DIR *dir = opendir("/proc/self/fd");
  need(dir != 0, "opendir");
  int standard = 0;
  for (struct dirent *e; (e = readdir(dir));)
    standard += strcmp(e->d_name, "0") == 0 || strcmp(e->d_name, "1") == 0 || strcmp(e->d_name, "2") == 0;
  NUM(standard);
  closedir(dir);
  return close(fd) | close(again);
}
