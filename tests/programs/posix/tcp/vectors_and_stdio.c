// readv, writev and standard streams over a connection.
#include "../socket/net.h"
#include <sys/uio.h>

int main(void) {
  int pair[2];
  tcp_pair(pair);
  struct iovec out[3] = {{"head ", 5}, {"", 0}, {"body\n", 5}};
  SHOW(writev(pair[0], out, 3));
  char a[4], b[32];
  struct iovec in[2] = {{a, 4}, {b, sizeof b}};
  ssize_t n = readv(pair[1], in, 2);
  printf("%zd [%.4s][%.*s]\n", n, a, (int)(n - 5), b);
  FILE *client = fdopen(pair[0], "r"), *server = fdopen(pair[1], "r");
  FILE *asks = fdopen(dup(pair[0]), "w"), *answers = fdopen(dup(pair[1]), "w");
  need(client && server && asks && answers, "fdopen");
  fprintf(asks, "GET /%d HTTP/1.0\n", 42);
  fflush(asks);
  char line[64];
  need(fgets(line, sizeof line, server) != NULL, "fgets");
  printf("%s", line);
  fprintf(answers, "200 OK\n");
  fclose(server);
  fclose(answers);
  while (fgets(line, sizeof line, client))
    printf("%s", line);
  IS(feof(client));
  return 0;
}
