// What execve refuses: ENOENT ENOTDIR EACCES ENOEXEC ELOOP ENAMETOOLONG; the program goes on.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name(int error) {
  switch (error) {
  case ENOENT: return "ENOENT";
  case ENOTDIR: return "ENOTDIR";
  case EACCES: return "EACCES";
  case ENOEXEC: return "ENOEXEC";
  case ELOOP: return "ELOOP";
  case ENAMETOOLONG: return "ENAMETOOLONG";
  default: return "other";
  }
}

static void try(const char *what, const char *path) {
  char *arguments[] = {"x", NULL}, *none[] = {NULL};
  int result = execve(path, arguments, none);
  printf("%s: %d %s\n", what, result, name(errno));
}

static void make(const char *path, const char *text, mode_t mode) {
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  if (fd < 0 || write(fd, text, strlen(text)) < 0)
    printf("cannot make %s\n", path);
  fchmod(fd, mode);
  close(fd);
}

int main(void) {
  char longer[300];
  memset(longer, 'n', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  make("plain", "text\n", 0600);
  make("text", "no program at all\n", 0700);
  make("empty", "", 0700);
  make("lost", "#!/no/such/interpreter\n", 0700);
  mkdir("folder", 0700);
  if (symlink("circle", "circle") || symlink("nowhere", "dangling"))
    return 1;
  try("not there", "missing");
  try("empty name", "");
  try("below a file", "plain/x");
  try("not executable", "plain");
  try("a directory", "folder");
  try("a text", "text");
  try("an empty file", "empty");
  try("an interpreter that is not there", "lost");
  try("a link to itself", "circle");
  try("a link to nothing", "dangling");
  try("a long name", longer);
  const char *made[] = {"plain", "text", "empty", "lost", "circle", "dangling"};
  for (int i = 0; i < 6; i++)
    unlink(made[i]);
  rmdir("folder");
  return 0;
}
