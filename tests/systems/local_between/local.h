/* UNIX sockets by their paths. */
#include <sys/un.h>

#include "../sockets.h"

static inline struct sockaddr_un local_address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  return address;
}

static inline int connect_locally(int fd, const char *path) {
  struct sockaddr_un address = local_address(path);
  return connect(fd, (struct sockaddr *)&address, sizeof address);
}
