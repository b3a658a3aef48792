//@ native: yes
// sysconf and pathconf tell the limits that programs ask for; an unknown name is EINVAL.
#include "../check.h"

int main(void) {
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  SHOW(sysconf(_SC_PAGESIZE));
  SHOW(sysconf(_SC_CLK_TCK));
  IS(sysconf(_SC_OPEN_MAX) >= 20);
  IS(sysconf(_SC_NPROCESSORS_ONLN) > 0);
  IS(sysconf(_SC_NPROCESSORS_CONF) > 0);
  IS(sysconf(_SC_PHYS_PAGES) > 0);
  IS(sysconf(_SC_ARG_MAX) >= 4096);
  IS(sysconf(_SC_IOV_MAX) == 1024);
  IS(sysconf(_SC_HOST_NAME_MAX) >= 64);
  SHOW(sysconf(_SC_VERSION));
  SHOW(sysconf(9999));
  SHOW(fpathconf(fd, _PC_NAME_MAX));
  SHOW(fpathconf(fd, _PC_PIPE_BUF));
  SHOW(fpathconf(fd, 9999));
  SHOW(pathconf(".", _PC_PATH_MAX));
  SHOW(pathconf(".", _PC_NO_TRUNC));
  SHOW(pathconf(".", 9999));
  char text[64];
  SHOW(confstr(_CS_PATH, text, sizeof text) > 1);
  IS(getpagesize() == sysconf(_SC_PAGESIZE));
  IS(getdtablesize() >= 20);
  return close(fd);
}
