/* Entries of the tables of users and groups one after the other, in buffers of the caller. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct room {
  char *next;
  size_t left;
};

static char *keep(struct room *room, const char *text) {
  size_t n = strlen(text ? text : "") + 1;
  char *to = room->next;
  if (n > room->left) {
    room->next = NULL;
    return NULL;
  }
  memcpy(to, text ? text : "", n);
  room->next += n;
  room->left -= n;
  return to;
}
#define KEEP(to, from)                  \
  if (!((to) = keep(&room, (from))))    \
  return ERANGE

static int give_user(const struct passwd *from, struct passwd *to, char *text, size_t n, struct passwd **result) {
  struct room room = {text, n};
  *result = NULL;
  if (!from)
    return ENOENT;
  *to = *from;
  KEEP(to->pw_name, from->pw_name);
  KEEP(to->pw_passwd, from->pw_passwd);
  KEEP(to->pw_gecos, from->pw_gecos);
  KEEP(to->pw_dir, from->pw_dir);
  KEEP(to->pw_shell, from->pw_shell);
  *result = to;
  return 0;
}
static int give_group(const struct group *from, struct group *to, char *text, size_t n, struct group **result) {
  *result = NULL;
  if (!from)
    return ENOENT;
  size_t members = 0, skip = -(uintptr_t)text % sizeof(char *);
  while (from->gr_mem[members])
    members++;
  size_t list = skip + (members + 1) * sizeof(char *);
  if (list > n)
    return ERANGE;
  struct room room = {text + list, n - list};
  to->gr_gid = from->gr_gid;
  to->gr_mem = (char **)(text + skip);
  KEEP(to->gr_name, from->gr_name);
  KEEP(to->gr_passwd, from->gr_passwd);
  for (size_t i = 0; i < members; i++)
    KEEP(to->gr_mem[i], from->gr_mem[i]);
  to->gr_mem[members] = NULL;
  *result = to;
  return 0;
}

int getpwent_r(struct passwd *to, char *text, size_t n, struct passwd **result) {
  return give_user(getpwent(), to, text, n, result);
}
int fgetpwent_r(FILE *file, struct passwd *to, char *text, size_t n, struct passwd **result) {
  return give_user(fgetpwent(file), to, text, n, result);
}
int getgrent_r(struct group *to, char *text, size_t n, struct group **result) {
  return give_group(getgrent(), to, text, n, result);
}
int fgetgrent_r(FILE *file, struct group *to, char *text, size_t n, struct group **result) {
  return give_group(fgetgrent(file), to, text, n, result);
}

static int give_shadow(const struct spwd *from, struct spwd *to, char *text, size_t n, struct spwd **result) {
  struct room room = {text, n};
  *result = NULL;
  if (!from)
    return ENOENT;
  *to = *from;
  KEEP(to->sp_namp, from->sp_namp);
  KEEP(to->sp_pwdp, from->sp_pwdp);
  *result = to;
  return 0;
}
int fgetspent_r(FILE *file, struct spwd *to, char *text, size_t n, struct spwd **result) {
  return give_shadow(fgetspent(file), to, text, n, result);
}
int getspent_r(struct spwd *to, char *text, size_t n, struct spwd **result) {
  return give_shadow(getspent(), to, text, n, result);
}
