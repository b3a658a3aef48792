//@ native: yes
// fts(3): a tree of files, in an order that the caller gives, with the steps that it asks for.
#include "../check.h"
#ifdef __GLIBC__
#include <fts.h>
#else
typedef struct _ftsent {
  struct _ftsent *fts_cycle, *fts_parent, *fts_link;
  long fts_number;
  void *fts_pointer;
  char *fts_accpath, *fts_path;
  int fts_errno, fts_symfd;
  unsigned short fts_pathlen, fts_namelen;
  ino_t fts_ino;
  dev_t fts_dev;
  nlink_t fts_nlink;
  short fts_level;
  unsigned short fts_info, fts_flags, fts_instr;
  struct stat *fts_statp;
  char fts_name[1];
} FTSENT;
typedef struct fts FTS;
enum { FTS_LOGICAL = 2, FTS_NOCHDIR = 4, FTS_PHYSICAL = 16, FTS_SKIP = 4, FTS_FOLLOW = 2, FTS_D = 1 };
FTS *fts_open(char *const *, int, int (*)(const FTSENT **, const FTSENT **));
FTSENT *fts_read(FTS *);
FTSENT *fts_children(FTS *, int);
int fts_set(FTS *, FTSENT *, int);
int fts_close(FTS *);
#endif

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static void walk(int options, const char *skipped) {
  char *roots[] = {"tree", "missing", "tree/a/file", 0};
  FTS *fts = fts_open(roots, options, by_name);
  for (FTSENT *entry; (entry = fts_read(fts));) {
    printf("%d %d %s (%s)", entry->fts_info, entry->fts_level, entry->fts_path, entry->fts_name);
    if (entry->fts_info == FTS_D) {
      if (!strcmp(entry->fts_name, skipped))
        fts_set(fts, entry, FTS_SKIP);
      else
        for (FTSENT *child = fts_children(fts, 0); child; child = child->fts_link)
          printf(" %s", child->fts_name);
    }
    puts("");
  }
  NUM(errno);
  SHOW(fts_close(fts));
}

int main(void) {
  mkdir("tree", 0755);
  mkdir("tree/a", 0755);
  mkdir("tree/b", 0755);
  mkdir("tree/a/deep", 0755);
  close(open("tree/a/file", O_CREAT | O_WRONLY, 0644));
  close(open("tree/z", O_CREAT | O_WRONLY, 0644));
  symlink("../a", "tree/b/link");
  symlink("nowhere", "tree/dangling");
  symlink("..", "tree/a/up");
  walk(FTS_PHYSICAL | FTS_NOCHDIR, "none");
  walk(FTS_LOGICAL | FTS_NOCHDIR, "deep");
  walk(FTS_PHYSICAL | FTS_NOCHDIR, "a");
  return 0;
}
