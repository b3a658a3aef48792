/* Moves one from an account to another, which takes two writes; the sum is always the same. With the argument "log",
   both are in a log on the disk before, from which they are made again after a crash. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

static char account[2];

static void apply(int accounts, int each) {
  for (int i = 0; i < 2; i++) {
    assert(pwrite(accounts, &account[i], 1, i) == 1);
    if (each) assert(fsync(accounts) == 0);
  }
  assert(fsync(accounts) == 0);
}

static void finish(int log) {
  assert(ftruncate(log, 0) == 0 && fsync(log) == 0);
}

int main(int argc, char **argv) {
  int accounts = open("accounts", O_RDWR), log = open("log", O_RDWR);
  char record[3];
  assert(pread(accounts, account, 2, 0) == 2);
  if (pread(log, record, 3, 0) == 3 && record[2] == (record[0] ^ record[1])) {
    account[0] = record[0];
    account[1] = record[1];
    apply(accounts, 0);
    finish(log);
  }
  assert(account[0] + account[1] == '5' + '5'); // mark: sum
  if (account[0] == '4') return 0;
  account[0]--;
  account[1]++;
  if (argc == 1) {
    apply(accounts, 1);
    return 0;
  }
  char both[3] = {account[0], account[1], account[0] ^ account[1]};
  assert(pwrite(log, both, 3, 0) == 3 && fsync(log) == 0);
  apply(accounts, 0);
  finish(log);
  return 0;
}
