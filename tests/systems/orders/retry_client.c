/* Asks two questions. If the first server does not answer within a second, the client asks the second one as well. A
 * careless client takes whatever comes for the answer to its last question: if the first answer comes after the
 * second one, it is taken for the answer to the next question. A careful client compares the number of the question. */
#include <poll.h>

#include "../sockets.h"

enum { PORT = 7000, QUESTIONS = 2, SERVERS = 2, TIMEOUT = 1000, PAUSE = 200 /* milliseconds */ };

struct message {
  int question, answer;
};

static int fd;

static void ask(int server, int question) {
  char name[16];
  snprintf(name, sizeof name, "server%d", server);
  struct sockaddr_in peer = address_of(name, PORT);
  struct message message = {question, 0};
  assert(sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, sizeof peer) == sizeof message);
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(fd >= 0);
  struct pollfd news = {fd, POLLIN, 0};
  for (int question = 1; question <= QUESTIONS; question++) {
    int server = 1, known = 0;
    ask(server, question);
    while (!known) {
      struct message message;
      if (poll(&news, 1, server < SERVERS ? TIMEOUT : -1) == 0) {
        ask(++server, question);
        continue;
      }
      assert(recv(fd, &message, sizeof message, 0) == sizeof message);
      if (careful && message.question != question) continue;
      assert(message.answer == question * 10); // mark: answer
      known = 1;
    }
    usleep(PAUSE * 1000);
  }
  return 0;
}
