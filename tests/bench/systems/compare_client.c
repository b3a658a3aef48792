/* client SERVER TEXTS: sends three packets, with any text if TEXTS is "symbolic" and otherwise with the one that the
 * server expects. */
#include <arpa/inet.h>
#include <assert.h>
#include <klee/klee.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static const char *const texts[3] = {"first of three", "second of three", "third of three"};

int main(int argc, char **argv) {
  assert(argc == 3);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(inet_pton(AF_INET, argv[1], &server.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&server, sizeof server) == 0);
  for (int i = 0; i < 3; i++) {
    struct {
      char number, text[16];
    } packet = {.number = i};
    char text[16] = "";
    strcpy(text, texts[i]);
    if (strcmp(argv[2], "symbolic") == 0)
      klee_make_symbolic(text, sizeof text, "text");
    memcpy(packet.text, text, sizeof text);
    assert(send(fd, &packet, sizeof packet, 0) == sizeof packet);
  }
  return 0;
}
