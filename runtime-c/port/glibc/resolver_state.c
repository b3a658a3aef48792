/* The resolver with a state of the caller's. musl's resolver has none, and looks at the configuration each time. */
#define _GNU_SOURCE
#include <resolv.h>
#include <string.h>
#include <stddef.h>

int __res_ninit(res_state state) {
  memset(state, 0, sizeof *state);
  state->options = RES_INIT | RES_RECURSE | RES_DEFNAMES | RES_DNSRCH;
  state->retrans = RES_TIMEOUT;
  state->retry = 2;
  state->ndots = 1;
  return 0;
}
void __res_nclose(res_state state) {}
int res_nquery(res_state state, const char *name, int class, int type, unsigned char *to, int n) {
  return res_query(name, class, type, to, n);
}
int res_nsearch(res_state state, const char *name, int class, int type, unsigned char *to, int n) {
  return res_search(name, class, type, to, n);
}
int res_nquerydomain(res_state state, const char *name, const char *domain, int class, int type,
                     unsigned char *to, int n) {
  return res_querydomain(name, domain, class, type, to, n);
}
int res_nmkquery(res_state state, int op, const char *name, int class, int type, const unsigned char *data,
                 int size, const unsigned char *old, unsigned char *to, int n) {
  return res_mkquery(op, name, class, type, data, size, old, to, n);
}
int res_nsend(res_state state, const unsigned char *message, int size, unsigned char *to, int n) {
  return res_send(message, size, to, n);
}
int __res_nquery(res_state state, const char *name, int class, int type, unsigned char *to, int n) {
  return res_query(name, class, type, to, n);
}
int __res_nsearch(res_state state, const char *name, int class, int type, unsigned char *to, int n) {
  return res_search(name, class, type, to, n);
}
int __res_query(const char *name, int class, int type, unsigned char *to, int n) {
  return res_query(name, class, type, to, n);
}
int __res_search(const char *name, int class, int type, unsigned char *to, int n) {
  return res_search(name, class, type, to, n);
}
void __res_close(void) {}
unsigned __res_randomid(void) {
  unsigned arc4random(void);
  return arc4random() & 0xffff;
}

/* Names that may be those of hosts: letters, digits and hyphens, but no hyphen at the beginning. */
static int is_label(const char *from, const char *end, int lenient) {
  if (from == end)
    return 0;
  for (const char *c = from; c < end; c++) {
    int is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
    int is_plain = is_letter || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-';
    if (!(is_plain || (lenient && *c > ' ' && *c < 127)))
      return 0;
  }
  return 1;
}
static int is_name(const char *name, int first_lenient) {
  if (!strcmp(name, "."))
    return 1;
  if (*name == '-' && !first_lenient)
    return 0;
  for (int first = 1; *name; first = 0) {
    const char *end = strchrnul(name, '.');
    if (!is_label(name, end, first && first_lenient))
      return 0;
    name = *end ? end + 1 : end;
  }
  return 1;
}
int res_hnok(const char *name) { return is_name(name, 0); }
int res_ownok(const char *name) { return is_name(!strncmp(name, "*.", 2) ? name + 2 : name, 0); }
int res_mailok(const char *name) { return !*name || is_name(name, 1); }
int res_dnok(const char *name) {
  for (; *name; name++)
    if (*name <= ' ' || *name >= 127)
      return 0;
  return 1;
}
