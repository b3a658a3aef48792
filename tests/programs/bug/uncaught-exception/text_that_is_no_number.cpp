//@ cflags: -std=c++17
//@ opt: O0 O2
// A setting that is no number is given to stoi, and nobody expects its exception.
#include <cstdio>
#include <map>
#include <string>

int main() {
  std::map<std::string, std::string> settings{{"port", "http"}, {"retries", "3"}};
  int retries = std::stoi(settings["retries"]);
  int port = std::stoi(settings["port"]); // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type std::invalid_argument: stoi"
  std::printf("%d %d\n", retries, port);
  return 0;
}
