/* Answers each question with ten times its number. */
#include "../sockets.h"

struct message {
  int question, answer;
};

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  for (;;) {
    struct message message;
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, &length) == sizeof message);
    message.answer = message.question * 10;
    assert(sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, length) == sizeof message);
  }
}
