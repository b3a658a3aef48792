/* A plugin that needs a symbol of another one. */
extern int only_other(void);
int use(void) { return only_other(); }
