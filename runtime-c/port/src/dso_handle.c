/* The handle of this module, which C++ code passes when it registers a destructor. */
void *__dso_handle = &__dso_handle;
