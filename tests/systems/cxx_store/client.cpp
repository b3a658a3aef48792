/* Puts a value under a key of one byte, and then makes a request whose operation and length are symbolic. */
#include <iostream>
#include <klee/klee.h>
#include <stdexcept>
#include <string>

#include "../sockets.h"

struct Request {
  unsigned char operation, length, key[4], value;
};

class Connection {
  int fd = connected(SOCK_STREAM, "store", 6379);

public:
  Connection() = default;
  Connection(const Connection &) = delete;
  ~Connection() { close(fd); }

  std::string ask(const Request &request) {
    write_all(fd, &request, sizeof request);
    char answer[3];
    ssize_t size = read(fd, answer, sizeof answer);
    if (size <= 0)
      throw std::runtime_error("the store does not answer");
    return std::string(answer, size);
  }
};

static void converse() {
  Connection connection;
  std::string answer = connection.ask({'p', 1, {'a'}, 42});
  assert(answer == "k");

  unsigned char choice[2];
  klee_make_symbolic(choice, sizeof choice, "request");
  answer = connection.ask({choice[0], choice[1], {'a', 'a', 'a', 'a'}, 0});
  if (answer[0] == 'v') {
    /* Only what was put is found. */
    assert(answer.size() == 2 && answer[1] == 42);
    assert(choice[0] == 'g' && choice[1] == 1);
  }
}

int main() {
  try {
    converse();
  } catch (const std::runtime_error &error) {
    std::clog << error.what() << '\n';
  }
  return 0;
}
