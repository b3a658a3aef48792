/* Keeps a ledger through all kinds of functions of stdio, and insists that each of them works. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char line[32], *whole = NULL;
  size_t room = 0;
  int number, file;
  FILE *ledger = fopen("ledger", "w+");
  assert(ledger); // mark: fopen
  setvbuf(ledger, NULL, _IONBF, 0);
  assert(fputs("one\n", ledger) >= 0);            // mark: fputs
  assert(fputc('2', ledger) == '2');              // mark: fputc
  assert(fwrite("\nthree\n", 1, 7, ledger) == 7); // mark: fwrite
  assert(fprintf(ledger, "%d\n", 4) == 2);        // mark: fprintf
  assert(fseek(ledger, 0, SEEK_SET) == 0);
  assert(fgets(line, sizeof line, ledger));       // mark: fgets
  assert(fgetc(ledger) == '2');                   // mark: fgetc
  assert(getline(&whole, &room, ledger) == 1);    // mark: getline
  assert(fread(line, 1, 6, ledger) == 6);         // mark: fread
  assert(fscanf(ledger, "%d", &number) == 1);
  assert(ftell(ledger) == 13);
  ledger = freopen("journal", "w", ledger);
  assert(ledger); // mark: freopen
  setvbuf(ledger, line, _IOFBF, sizeof line);
  assert(fputs("five\n", ledger) >= 0);
  assert(fflush(ledger) == 0); // mark: fflush
  assert(fputs("six\n", ledger) >= 0);
  assert(fclose(ledger) == 0); // mark: fclose
  /* The descriptor of the ledger is free again. */
  file = dup(2);
  assert(file == 3); // mark: dup
  assert(dprintf(file, "seven\n") == 6);
  free(whole);
  return 0;
}
