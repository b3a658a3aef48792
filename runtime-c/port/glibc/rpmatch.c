/* Is an answer yes or no, in the language of the C locale? */
int rpmatch(const char *answer) {
  return *answer == 'y' || *answer == 'Y' ? 1 : *answer == 'n' || *answer == 'N' ? 0 : -1;
}
