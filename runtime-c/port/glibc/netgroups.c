/* Groups of machines and users, which a service of the network would name. There is none. */
#include <stddef.h>

int setnetgrent(const char *name) { return 0; }
void endnetgrent(void) {}
int getnetgrent(char **host, char **user, char **domain) { return 0; }
int getnetgrent_r(char **host, char **user, char **domain, char *text, size_t n) { return 0; }
int innetgr(const char *name, const char *host, const char *user, const char *domain) { return 0; }
