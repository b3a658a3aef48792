/* Asks shells, which are this program under another name: reads what they say, and tells them something. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char line[64], more[64];

/* A shell. */
static int obey(const char *command) {
  if (strcmp(command, "count") == 0) {
    printf("one\ntwo\n");
    return 3; /* what is left is written by exit */
  }
  if (strcmp(command, "flush") == 0) {
    printf("first\n");
    assert(fflush(stdout) == 0);
    sleep(1);
    dprintf(1, "second\n");
    return 4;
  }
  if (strcmp(command, "repeat") == 0) {
    FILE *log = fopen("/log", "w");
    while (fgets(line, sizeof line, stdin)) fprintf(log, "%s;", strtok(line, "\n"));
    return fclose(log) == 0 ? 5 : 6;
  }
  return strcmp(command, "close") == 0 && fcntl(5, F_GETFD) < 0 ? 7 : 8;
}

static void listen_to(void) {
  FILE *shell = popen("count", "r");
  assert(shell && fgets(line, sizeof line, shell) && strcmp(line, "one\n") == 0);
  assert(fgets(more, sizeof more, shell) && strcmp(more, "two\n") == 0 && !fgets(more, sizeof more, shell));
  assert(pclose(shell) == 3 << 8);
  shell = popen("flush", "re");
  assert(shell && fgets(line, sizeof line, shell) && strcmp(line, "first\n") == 0);
  assert(fgets(more, sizeof more, shell) && strcmp(more, "second\n") == 0);
  assert(pclose(shell) == 4 << 8);
}

static void talk_to(void) {
  FILE *shell = popen("repeat", "w");
  assert(shell && fputs("to be\n", shell) >= 0 && fflush(shell) == 0);
  sleep(1);
  assert(fputs("or not\n", shell) >= 0 && pclose(shell) == 5 << 8);
  FILE *log = fopen("/log", "r");
  assert(log && fgets(line, sizeof line, log) && strcmp(line, "to be;or not;") == 0 && fclose(log) == 0);
}

int main(int argc, char **argv) {
  char here[64], own[256];
  if (argc > 1) return obey(argv[2]);
  /* Nothing of what a failure leaves behind takes a descriptor. */
  assert(!popen("count", "r") && errno == ENOENT);
  assert(!popen("count", "x") && errno == EINVAL);
  assert(getcwd(here, sizeof here));
  snprintf(own, sizeof own, "%s%s%s", argv[0][0] == '/' ? "" : here, argv[0][0] == '/' ? "" : "/", argv[0]);
  assert((mkdir("/bin", 0755) == 0 || errno == EEXIST) && symlink(own, "/bin/sh") == 0);
  listen_to();
  talk_to();
  /* A shell has no ends of pipes to others. */
  int first = open("/log", O_RDONLY);
  FILE *one = popen("close", "w"), *two = popen("close", "w");
  assert(first == 3 && one && two && fileno(one) == 5 && fileno(two) == 6);
  assert(pclose(one) == 7 << 8);
  int status = pclose(two);
  /* Of nine descriptors two are left for a pipe, but none for that of posix_spawn; and then one. */
  assert(dup(first) == 4 && dup(first) == 5 && dup(first) == 6);
  assert(!popen("count", "r") && errno == EMFILE);
  assert(dup(first) == 7 && !popen("count", "r") && errno == EMFILE);
  assert(WEXITSTATUS(status) != 7); // mark: guilty
  return 0;
}
