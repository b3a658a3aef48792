/* Serves two requests, each from the folder of its site. After a failure it should be where it was before; with an argument
 * it is. */
#include <everett.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int go_back;

static void expose_directory(int state) {
  char path[64] = "";
  everett_faults(0);
  getcwd(path, sizeof path);
  klee_invariant_expose_data(state, "directory", path, strlen(path)); // mark: directory
}

static void serve(const char *site) {
  expose_directory(1);
  everett_faults(1);
  if (chdir(site) == 0) {
    int fd = open("index.html", O_RDONLY);
    everett_faults(0);
    if (fd < 0 && !go_back) {
      expose_directory(2);
      return;
    }
    if (fd >= 0) close(fd);
    chdir("..");
  }
  expose_directory(2);
}

int main(int argc, char **argv) {
  go_back = argc > 1;
  everett_faults(0);
  for (const char **site = (const char *[]){"a", "b", NULL}; *site; site++) {
    char name[16];
    mkdir(*site, 0755);
    snprintf(name, sizeof name, "%s/index.html", *site);
    close(open(name, O_CREAT | O_WRONLY, 0644));
  }
  serve("a");
  serve("b");
  return 0;
}
