/* glibc's inner names of translations. */
#include <libintl.h>

char *__dgettext(const char *domain, const char *id) { return dgettext(domain, id); }
char *__dcgettext(const char *domain, const char *id, int category) { return dcgettext(domain, id, category); }
