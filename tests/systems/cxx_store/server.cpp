/* A store of numbers behind TCP. A request is an operation, the length of a key, the key and a value. */
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include "../sockets.h"

constexpr int KEY_BYTES = 4;

struct Request {
  unsigned char operation, length, key[KEY_BYTES], value;
};

struct BadRequest : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

class Store {
  std::map<std::string, unsigned char> entries;

public:
  std::string put(const std::string &key, unsigned char value) {
    entries[key] = value;
    return "k";
  }

  std::string get(const std::string &key) const {
    unsigned char value = entries.at(key); // mark: missing
    return {'v', static_cast<char>(value)};
  }
};

static std::string answer(Store &store, const Request &request) {
  if (request.length > KEY_BYTES)
    throw BadRequest("the key is too long");
  std::string key;
  for (int i = 0; i < request.length; i++)
    key += static_cast<char>(request.key[i]);
  switch (request.operation) {
  case 'p':
    return store.put(key, request.value);
  case 'g':
    return store.get(key);
  default:
    throw BadRequest("there is no such operation");
  }
}

/* What the client hears, whatever happens to its request. */
static std::string answer_or_error(Store &store, const Request &request) {
  try {
    return answer(store, request);
  } catch (const BadRequest &error) {
    std::clog << "bad request: " << error.what() << '\n';
    return "?";
#ifndef CARELESS
  } catch (const std::out_of_range &) {
    return "n";
#endif
  }
}

int main() {
  int listener = listening(6379), connections = 0;
  Store store;
  for (;;) {
    int fd = accept(listener, nullptr, nullptr);
    assert(fd >= 0);
    std::clog << "connection " << ++connections << '\n';
    Request request;
    while (read_all(fd, &request, sizeof request) == sizeof request) {
      const std::string text = answer_or_error(store, request);
      write_all(fd, text.data(), text.size());
    }
    close(fd);
  }
}
