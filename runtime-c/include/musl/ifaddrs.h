/* glibc's brings sockets with it. */
#include_next <ifaddrs.h>
#include <sys/socket.h>
