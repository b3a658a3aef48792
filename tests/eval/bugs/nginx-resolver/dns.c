/* A name server that answers one question with another name, which is any six bytes. */
#include "../peer.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 5353);
  struct sockaddr_in asker;
  socklen_t size = sizeof asker;
  unsigned char question[64];
  ssize_t asked = recvfrom(fd, question, sizeof question, 0, (struct sockaddr *)&asker, &size);
  assert(asked == 19);

  unsigned char answer[37] = {
      0, 7, 0x81, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 'w', 0, 0, 1, 0, 1, /* the question, with other flags */
      0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 6,                      /* the same name is also called ... */
  };
  klee_make_symbolic(answer + 31, 6, "name");
  sendto(fd, answer, sizeof answer, 0, (struct sockaddr *)&asker, size);
  close(fd);
  return 0;
}
