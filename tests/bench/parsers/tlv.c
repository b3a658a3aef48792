/* Records of a tag, a length and a value, nested in one kind of record, as in many binary protocols. */
#include "input.h"

#ifndef SIZE
#define SIZE 7
#endif

enum { NUMBER = 1, TEXT = 2, GROUP = 3 };

struct totals {
  int records;
  int groups;
  unsigned number_bytes;
  size_t text;
  int error;
};

static void parse(struct totals *totals, const unsigned char *at, size_t left, int depth) {
  while (left > 0 && !totals->error) {
    if (left < 2) {
      totals->error = 1;
      return;
    }
    unsigned tag = at[0];
    size_t length = at[1];
    if (length > left - 2) {
      totals->error = 2;
      return;
    }
    const unsigned char *value = at + 2;
    totals->records++;
    if (tag == NUMBER) {
      unsigned char number[4] = {0, 0, 0, 0};
      if (length > sizeof number) {
        totals->error = 3;
        return;
      }
      memcpy(number, value, length);
      totals->number_bytes += length;
    } else if (tag == TEXT) {
      const void *end = memchr(value, 0, length);
      totals->text += end != NULL ? (size_t)((const unsigned char *)end - value) : length;
    } else if (tag == GROUP) {
      totals->groups++;
      if (depth == 2)
        totals->error = 4;
      else
        parse(totals, value, length, depth + 1);
    } else {
      totals->error = 5;
    }
    at += 2 + length;
    left -= 2 + length;
  }
}

int main(void) {
  struct totals totals = {0, 0, 0, 0, 0};
  parse(&totals, (const unsigned char *)symbolic_input(SIZE), SIZE, 0);
  printf("records %d groups %d bytes %d text %d error %d\n", plain(totals.records), plain(totals.groups),
         plain(totals.number_bytes), plain(totals.text), plain(totals.error));
  return 0;
}
