/* Is up, but serves nothing. */
int main(void) { return 0; }
