/* Writes a report, and does not look whether that worked. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[32] = {0};
  FILE *report = fopen("report", "w+");
  if (!report) return 0;
  fprintf(report, "all is %s\n", "well");
  fflush(report);
  rewind(report);
  if (!fgets(line, sizeof line, report)) line[0] = 0;
  assert(strcmp(line, "all is well\n") == 0); // mark: trusting
  return 0;
}
