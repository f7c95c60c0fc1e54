/* Loaded before the C library: makes every fdatasync() of a file take as long as was asked for, and says when it was. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

volatile double slow_flush_seconds = 0; /* how long each one takes; 0 ends the one that is under way */
volatile double slow_flush_began = 0;   /* the last one, on the monotonic clock */
volatile double slow_flush_ended = 0;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int fdatasync(int descriptor) {
  int (*const flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  if (slow_flush_seconds <= 0) return flush(descriptor);
  slow_flush_began = now();
  while (now() < slow_flush_began + slow_flush_seconds) { /* signals do not shorten it */
    const struct timespec moment = {0, 1000000};
    nanosleep(&moment, 0);
  }
  slow_flush_ended = now();
  return flush(descriptor);
}
