/* The table of file systems, /etc/fstab: getfsent(3). */
#define _GNU_SOURCE
#include <mntent.h>
#include <stdio.h>
#include <string.h>

struct fstab {
  char *spec, *file, *type, *options;
  const char *kind;
  int frequency, pass;
};

static FILE *table;
static struct fstab entry;

int setfsent(void) {
  if (table)
    rewind(table);
  else
    table = setmntent("/etc/fstab", "r");
  return table != NULL;
}
void endfsent(void) {
  if (table)
    endmntent(table);
  table = NULL;
}
struct fstab *getfsent(void) {
  static const char *const kinds[] = {"rw", "rq", "ro", "sw", "xx"};
  if (!table && !setfsent())
    return NULL;
  struct mntent *found = getmntent(table);
  if (!found)
    return NULL;
  const char *kind = "??";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (hasmntopt(found, kinds[i])) {
      kind = kinds[i];
      break;
    }
  entry = (struct fstab){found->mnt_fsname, found->mnt_dir,  found->mnt_type,  found->mnt_opts,
                         kind,              found->mnt_freq, found->mnt_passno};
  return &entry;
}
struct fstab *getfsspec(const char *name) {
  struct fstab *found = NULL;
  if (setfsent())
    while ((found = getfsent()) && strcmp(found->spec, name))
      ;
  return found;
}
struct fstab *getfsfile(const char *name) {
  struct fstab *found = NULL;
  if (setfsent())
    while ((found = getfsent()) && strcmp(found->file, name))
      ;
  return found;
}
