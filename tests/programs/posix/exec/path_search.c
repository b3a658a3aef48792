// execvp looks through PATH, passes over what it may not run, and tells EACCES if that was all.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void try(const char *what, const char *path, const char *program) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char *arguments[] = {"name", (char *)what, NULL};
    if (path)
      setenv("PATH", path, 1);
    else
      unsetenv("PATH");
    execvp(program, arguments);
    printf("%s: %s\n", what, errno == ENOENT ? "ENOENT" : errno == EACCES ? "EACCES" : "other");
    fflush(stdout);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    printf("%s: runs, %d arguments\n", argv[1], argc);
    return 0;
  }
  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || mkdir("a", 0700) || mkdir("b", 0700) ||
      symlink(self, "b/tool") || symlink(self, "here"))
    return 1;
  close(open("a/tool", O_CREAT | O_WRONLY, 0600));
  close(open("a/other", O_CREAT | O_WRONLY, 0600));
  try("second in PATH", "a:b", "tool");
  try("missing folders", "missing:missing/too:b", "tool");
  try("not in PATH", "a:b", "absent");
  try("not executable", "a:b", "other");
  try("empty entry is here", "a::b", "here");
  try("trailing entry is here", "a:", "here");
  try("not here", "a:b", "here");
  try("with a slash", "a", "b/tool");
  try("with a slash, missing", "b", "a/absent");
  try("empty name", "a:b", "");
  unlink("a/tool");
  unlink("a/other");
  unlink("b/tool");
  unlink("here");
  rmdir("a");
  rmdir("b");
  return 0;
}
