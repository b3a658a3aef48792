/* A request to look up a word, and the length of the word. */
enum { CHARACTERS_MAX = 3 };

struct request {
  unsigned char length;
  char word[CHARACTERS_MAX];
};

static int is_letter(char character) { return character >= 'a' && character <= 'z'; }
