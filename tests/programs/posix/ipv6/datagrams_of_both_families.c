// A datagram socket at :: receives from both families and answers both; a connected one has one peer.
#include "net6.h"

static void receive_and_answer(int server, const char *answer) {
  char text[16];
  struct sockaddr_storage from = {0};
  socklen_t len = sizeof from;
  ssize_t n = recvfrom(server, text, sizeof text, 0, ADDRESS(from), &len);
  printf("received %zd [%.*s]\n", n, n > 0 ? (int)n : 0, text);
  show_address("  from", &from, len);
  SHOW(sendto(server, answer, strlen(answer), 0, ADDRESS(from), len));
}

int main(void) {
  int server = bound6(SOCK_DGRAM, "::");
  int port = port6_of(server);

  int six = socket(AF_INET6, SOCK_DGRAM, 0);
  Inet6 to6 = at6("::1", port), mapped = at6("::ffff:127.0.0.1", port);
  SHOW(sendto(six, "by six", 6, 0, ADDRESS(to6), sizeof to6));
  receive_and_answer(server, "to six");
  get("six", six, 16, 0);
  SHOW(sendto(six, "mapped", 6, 0, ADDRESS(mapped), sizeof mapped));
  receive_and_answer(server, "to mapped");
  get("six", six, 16, 0);
  Inet to4 = local(port);
  SHOW(sendto(six, "by name", 7, 0, ADDRESS(to4), sizeof to4));
  receive_and_answer(server, "to name");
  get("six", six, 16, 0);

  int four = socket(AF_INET, SOCK_DGRAM, 0);
  SHOW(sendto(four, "by four", 7, 0, ADDRESS(to4), sizeof to4));
  receive_and_answer(server, "to four");
  get("four", four, 16, 0);
  SHOW(sendto(four, "six", 3, 0, ADDRESS(to6), sizeof to6));

  int connected = socket(AF_INET6, SOCK_DGRAM, 0);
  SHOW(connect(connected, ADDRESS(to6), sizeof to6));
  show_names("connected", connected);
  SHOW(send(connected, "hello", 5, 0));
  receive_and_answer(server, "and you");
  get("connected", connected, 16, 0);
  struct sockaddr nobody = {.sa_family = AF_UNSPEC};
  SHOW(connect(connected, &nobody, sizeof nobody));
  show_names("disconnected", connected);
  SHOW(send(connected, "hello", 5, 0));

  int empty = bound6(SOCK_DGRAM, "::1");
  int dead = port6_of(empty);
  close(empty);
  Inet6 gone = at6("::1", dead);
  int asks = socket(AF_INET6, SOCK_DGRAM, 0);
  SHOW(connect(asks, ADDRESS(gone), sizeof gone));
  SHOW(send(asks, "x", 1, 0));
  get("asks", asks, 16, 0);
  return 0;
}
