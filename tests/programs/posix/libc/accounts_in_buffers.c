//@ native: yes
// Entries of users and groups, of protocols and of the table of file systems, in buffers of the caller.
#include "../check.h"
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#ifdef __GLIBC__
#include <fstab.h>
#else
struct fstab {
  char *fs_spec, *fs_file, *fs_vfstype, *fs_mntops;
  const char *fs_type;
  int fs_freq, fs_passno;
};
struct fstab *getfsent(void);
int fgetpwent_r(FILE *, struct passwd *, char *, size_t, struct passwd **);
int fgetgrent_r(FILE *, struct group *, char *, size_t, struct group **);
int getprotobyname_r(const char *, struct protoent *, char *, size_t, struct protoent **);
int innetgr(const char *, const char *, const char *, const char *);
#endif

static FILE *file(const char *text) {
  FILE *made = tmpfile();
  fputs(text, made);
  rewind(made);
  return made;
}

int main(void) {
  char text[256];
  FILE *users = file("root:x:0:0:root:/root:/bin/sh\nme:*:7:8:Me,,:/users/me:/bin/dash\n");
  struct passwd user, *found;
  while (fgetpwent_r(users, &user, text, sizeof text, &found) == 0)
    printf("%s %d %s %s\n", found->pw_name, found->pw_uid, found->pw_gecos, found->pw_shell);
  FILE *groups = file("wheel:x:10:root,me\nnone:x:11:\n");
  struct group group, *some;
  while (fgetgrent_r(groups, &group, text, sizeof text, &some) == 0) {
    printf("%s %d", some->gr_name, some->gr_gid);
    for (char **member = some->gr_mem; *member; member++)
      printf(" %s", *member);
    puts("");
  }
  NUM(innetgr("group", "host", "user", "domain"));
  return 0;
}
