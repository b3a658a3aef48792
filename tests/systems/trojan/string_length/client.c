/* Looks up a word of one to three letters. */
#include <everett.h>

#include "../../sockets.h"
#include "message.h"

int main(void) {
  char word[CHARACTERS_MAX + 1];
  klee_make_symbolic(word, sizeof word, "word");
  word[CHARACTERS_MAX] = 0;
  size_t length = strlen(word);
  if (length == 0) return 0;
  for (size_t i = 0; i < length; i++)
    if (!is_letter(word[i])) return 0;

  int fd = connected(SOCK_DGRAM, "server", 7111);
  struct request request = {.length = length};
  memcpy(request.word, word, length);
  assert(send(fd, &request, sizeof request, 0) == sizeof request);
  char answer;
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
