/* Receives a record and a stream, both with parts that nobody has written. */
#include "record.h"

int main(void) {
  struct record record;
  int fd = bound(SOCK_DGRAM, 7000), listener = listening(8080);
  assert(recv(fd, &record, sizeof record, 0) == sizeof record && record.letter == 'a');
  int stream = accept(listener, NULL, NULL);
  assert(stream >= 0 && read_all(stream, &record, sizeof record) == sizeof record);
  assert(record.number != 7); // mark: guilty
  return 0;
}
