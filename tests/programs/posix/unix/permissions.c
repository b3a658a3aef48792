// Connecting needs leave to write to the socket's file; binding needs leave to write to its directory.
#include "local.h"

int main(void) {
  be_ordinary_user();
  int l = server(SOCK_STREAM, "s"), d = server(SOCK_DGRAM, "d");
  SHOW(chmod("s", 0400));
  SHOW(chmod("d", 0400));
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "s"));
  SHOW(send_to(socket(AF_UNIX, SOCK_DGRAM, 0), "d", "x"));
  SHOW(chmod("s", 0200));
  SHOW(connect_to(socket(AF_UNIX, SOCK_STREAM, 0), "s"));
  SHOW(mkdir("closed", 0500));
  SHOW(bind_to(socket(AF_UNIX, SOCK_STREAM, 0), "closed/x"));
  SHOW(bind_to(socket(AF_UNIX, SOCK_STREAM, 0), "s/x"));
  close(l), close(d);
  return 0;
}
