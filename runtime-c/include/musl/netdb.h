/* glibc's brings the types of sockets with it. */
#include_next <netdb.h>
#include <netinet/in.h>
