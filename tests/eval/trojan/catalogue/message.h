/* An entry of a catalogue: its kind, and a text of ten characters. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdint.h>

enum { PORT = 4105, TEXT_BYTES = 10 };
enum { BOOK = 1, JOURNAL, MAP, LETTER, DRAWING, PHOTOGRAPH, RECORDING, FILM, MANUSCRIPT };

struct entry {
  uint8_t kind;
  uint8_t text[TEXT_BYTES];
};

#endif
