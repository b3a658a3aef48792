/* The protocol between clients, the proxy and its backends: everybody sends fixed-size messages over TCP. */
#ifndef PROXY_H
#define PROXY_H

#include "../sockets.h"

enum { PROXY_PORT = 8000, BACKEND_PORT = 8001, SIDES = 2 };

struct message {
  int key, value;
};

#endif
