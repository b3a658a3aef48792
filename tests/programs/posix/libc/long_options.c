//@ native: yes
//@ argv: --verbose --output=file one --level 3 -o other --unknown --lev=4 --no two
// getopt_long: values, abbreviations, arguments permuted to the end.
#include "../check.h"
#include <getopt.h>

int main(int argc, char **argv) {
  static int flag;
  static const struct option options[] = {{"verbose", no_argument, 0, 'v'},
                                          {"output", required_argument, 0, 'o'},
                                          {"level", optional_argument, 0, 'l'},
                                          {"no-colour", no_argument, &flag, 7},
                                          {0, 0, 0, 0}};
  opterr = 0;
  int c, index = -1;
  while ((c = getopt_long(argc, argv, "vo:l::", options, &index)) != -1)
    printf("%c %s\n", c ? c : '0', c == 'o' || c == 'l' ? (optarg ? optarg : "none") : "-");
  NUM(flag);
  printf("rest:");
  for (int i = optind; i < argc; i++)
    printf(" %s", argv[i]);
  puts("");
  return 0;
}
