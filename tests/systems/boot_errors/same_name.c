/* Two nodes that want the same name. */
#include <klee/klee.h>
#include <netklee.h>

__attribute__((noinline)) static int first(void) {
  return klee_net_host_setup("twin", 0, 1) + 1;
}

__attribute__((noinline)) static int second(void) {
  return klee_net_host_setup("twin", 0, 3) + 2; // mark: twin
}

__attribute__((noinline)) static int other(void) {
  return klee_net_host_setup("other", 0, 2) + 3;
}

int main(void) {
  klee_net_add_network("net0");
  klee_net_add_interface(1, "net0", NULL);
  int node = klee_range(0, 3, "node");
  return node == 0 ? second() : node == 1 ? first() : other();
}
