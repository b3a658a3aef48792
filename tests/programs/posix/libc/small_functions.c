//@ native: yes
// Small functions that glibc has and the standards do not.
#include "../check.h"
#include <dirent.h>
#include <glob.h>
#include <search.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <wchar.h>
#ifndef __GLIBC__
int rpmatch(const char *);
int dysize(int);
time_t timelocal(struct tm *);
void *memfrob(void *, size_t);
char *strfry(char *);
int group_member(gid_t);
int isfdtype(int, int);
char *getwd(char *);
int getpw(uid_t, char *);
int on_exit(void (*)(int, void *), void *);
int scandirat(int, const char *, struct dirent ***, int (*)(const struct dirent *),
              int (*)(const struct dirent **, const struct dirent **));
wchar_t *wmempcpy(wchar_t *, const wchar_t *, size_t), *wcschrnul(const wchar_t *, wchar_t);
int glob_pattern_p(const char *, int);
long long strtoq(const char *, char **, int);
void twalk_r(const void *, void (*)(const void *, VISIT, void *), void *);
unsigned gnu_dev_major(unsigned long long), gnu_dev_minor(unsigned long long);
#endif

static void last(int status, void *text) {
  printf("%s %d\n", (char *)text, status);
  fflush(stdout);
}
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void visit(const void *node, VISIT order, void *count) {
  if (order == postorder || order == leaf)
    printf("%s ", *(const char **)node), ++*(int *)count;
}

int main(void) {
  NUM(rpmatch("yes") * 100 + rpmatch("No") * 10 + rpmatch("maybe"));
  NUM(dysize(2000) + dysize(1900));
  char text[4096] = "secret";
  memfrob(text, 6);
  IS(strcmp(text, "secret") && !strcmp(memfrob(text, 6), "secret"));
  strfry(text);
  int sum = 0;
  for (char *c = text; *c; c++)
    sum += *c;
  IS(sum == 's' + 'e' + 'c' + 'r' + 'e' + 't');
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  NUM(isfdtype(pair[0], S_IFSOCK));
  NUM(isfdtype(pair[0], S_IFREG));
  SHOW(isfdtype(-1, S_IFREG));
  IS(gnu_dev_major(makedev(0x123456, 0x789abc)) == 0x123456 && gnu_dev_minor(makedev(1, 0x789abc)) == 0x789abc);
  mkdir("d", 0755);
  close(open("d/b", O_CREAT | O_WRONLY, 0644));
  close(open("d/a", O_CREAT | O_WRONLY, 0644));
  int here = open(".", O_RDONLY);
  struct dirent **list;
  SHOW(scandirat(here, "d", &list, 0, alphasort));
  puts(list[2]->d_name);
  SHOW(scandirat(here, "missing", &list, 0, 0));
  wchar_t wide[8];
  IS(wmempcpy(wide, L"abc", 4) == wide + 4 && wcschrnul(wide, L'z') == wide + 3 && wcschrnul(wide, L'b') == wide + 1);
  NUM(glob_pattern_p("a*", 1) + 10 * glob_pattern_p("a\\*", 1) + 100 * glob_pattern_p("[a]", 0));
  NUM(strtoq("-12345678901", 0, 10));
  void *root = 0;
  static char *keys[] = {"m", "c", "x", "a"};
  for (int i = 0; i < 4; i++)
    tsearch(keys[i], &root, compare);
  int count = 0;
  twalk_r(root, visit, &count);
  NUM(count);
  on_exit(last, "ends with");
  on_exit(last, "first");
  exit(7);
}
