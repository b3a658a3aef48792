//@ native: yes
//@ argv: -a -b value -cvalue2 file1 -x -- -a file2
// getopt: flags, values apart and attached, unknown letters, the end by two dashes.
#include "../check.h"

int main(int argc, char **argv) {
  opterr = 0;
  setenv("POSIXLY_CORRECT", "1", 1);
  for (int round = 0; round < 2; round++) {
    int c;
    while ((c = getopt(argc, argv, "ab:c:")) != -1)
      printf("%c %s %d\n", c, c == '?' ? "unknown" : optarg ? optarg : "-", optind);
    printf("rest from %d:", optind);
    for (int i = optind; i < argc; i++)
      printf(" %s", argv[i]);
    puts("");
    optind++;
  }
  char *missing[] = {"p", "-b", 0};
  optind = 1;
  int c = getopt(2, missing, "b:");
  printf("%c %c\n", c, optopt);
  optind = 1;
  c = getopt(2, missing, ":b:");
  printf("%c %c\n", c, optopt);
  char *bundle[] = {"p", "-abx", "y", 0};
  optind = 1;
  while ((c = getopt(3, bundle, "abx:")) != -1)
    printf("%c[%s] ", c, c == 'x' ? optarg : "");
  puts("");
  return 0;
}
