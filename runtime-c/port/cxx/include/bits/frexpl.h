/* Hashes of long double call a function, as the engine has no operation for it. */
#pragma once
extern "C" long double frexpl(long double value, int *exponent) throw();
#define __builtin_frexpl frexpl
