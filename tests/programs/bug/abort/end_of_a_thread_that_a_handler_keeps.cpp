// A handler of everything takes the end of its thread, and does not throw it on.
#include <pthread.h>

static void *run(void *) {
  try {
    pthread_exit(nullptr);
  } catch (...) {
  } // expect: bug abort
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  return pthread_join(thread, nullptr);
}
