/* A web server with connections that stay open. The field Connection of a request is a list of words with commas
 * between them; a word says whether another request may come. */
#include <strings.h>

#include "../../../systems/sockets.h"

enum { HEAD_MAX = 96, WORDS_MAX = 8 };

struct word {
  const char *start;
  size_t length;
};

static int is_word(struct word word, const char *name) {
  return word.length == strlen(name) && strncasecmp(word.start, name, word.length) == 0;
}

/* Splits a list at its commas, without the blanks around words. Returns the number of words. */
static int split_list(const char *list, struct word *words) {
  enum { BLANKS, WORD, END } state = BLANKS;
  int count = 0;
  while (state != END) {
    switch (state) {
    case BLANKS:
      while (*list == ' ' || *list == '\t') list++;
      state = *list == 0 ? END : WORD;
      break;
    case WORD: {
      struct word word = {list, 0};
      while (*list != 0 && *list != ',') list++;
#ifdef REPAIRED
      if (list == word.start) {
        list++;
        state = BLANKS;
        break;
      }
#else
      if (list == word.start) break; /* nothing between two commas */
#endif
      word.length = list - word.start;
      while (word.start[word.length - 1] == ' ' || word.start[word.length - 1] == '\t') word.length--;
      if (count < WORDS_MAX) words[count++] = word;
      if (*list == ',') list++;
      state = BLANKS;
      break;
    }
    case END:
      break;
    }
  }
  return count;
}

/* Reads the head of a request, up to its empty line. Returns 0 if there is none. */
static int read_head(int fd, char *head) {
  for (size_t length = 0; length < HEAD_MAX - 1; length++) {
    if (read(fd, &head[length], 1) != 1) return 0;
    head[length + 1] = 0;
    if (length >= 3 && strcmp(&head[length - 3], "\r\n\r\n") == 0) {
      head[length - 1] = 0;
      return 1;
    }
  }
  return 0;
}

/* Returns whether the connection stays open. */
static int keeps_alive(char *head) {
  int is_kept = 0;
  char *rest;
  for (char *line = strtok_r(head, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
    if (strncasecmp(line, "connection:", 11) != 0) continue;
    struct word words[WORDS_MAX];
    int count = split_list(line + 11, words);
    for (int i = 0; i < count; i++) {
      if (is_word(words[i], "keep-alive")) is_kept = 1;
      if (is_word(words[i], "close")) return 0;
    }
  }
  return is_kept;
}

static void serve(int fd) {
  char head[HEAD_MAX];
  while (read_head(fd, head)) {
    if (strncmp(head, "GET /", 5) != 0) return;
    int is_kept = keeps_alive(head);
    write_all(fd, "HTTP/1.1 204 \r\n\r\n", 17);
    if (!is_kept) return;
  }
}

int main(void) {
  int listener = listening(8080);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    serve(fd);
    close(fd);
  }
}
