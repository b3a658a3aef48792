// Run with up to a thousand symbolic arguments of a thousand bytes.
int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }
