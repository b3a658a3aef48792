/* Sends records as they are in memory, which has been used before. */
#include "record.h"

static void use_memory(void) {
  volatile unsigned char bytes[4096];
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = 0x5a;
}

static void send_record(int fd, const struct sockaddr_in *to) {
  struct record record;
  record.letter = 'a';
  record.number = 7;
  if (to)
    assert(sendto(fd, &record, sizeof record, 0, (const struct sockaddr *)to, sizeof *to) == sizeof record);
  else
    assert(write(fd, &record, sizeof record) == sizeof record);
}

int main(void) {
  struct sockaddr_in server = address_of("server", 7000);
  int stream = connected(SOCK_STREAM, "server", 8080);
  use_memory();
  send_record(socket(AF_INET, SOCK_DGRAM, 0), &server);
  use_memory();
  send_record(stream, NULL);
  return 0;
}
