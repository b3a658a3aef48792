/* Looks up words. A word ends where its length says or at the first zero before that. */
#include "../../sockets.h"
#include "message.h"

static int is_valid(const struct request *request) {
  if (request->length == 0 || request->length > CHARACTERS_MAX) return 0;
  for (int i = request->length; i < CHARACTERS_MAX; i++)
    if (request->word[i] != 0) return 0;
  for (int i = 0; i < request->length && request->word[i] != 0; i++)
    if (!is_letter(request->word[i])) return 0;
  return 1;
}

int main(void) {
  int fd = bound(SOCK_DGRAM, 7111);
  for (;;) {
    struct request request;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, &request, sizeof request, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size);
    if (size != sizeof request || !is_valid(&request)) continue;
    sendto(fd, "n", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: answer
  }
}
