/* Makes writes below a folder fail with EIO while a flag file exists. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_below(const char *path) {
  const char *folder = getenv("FAILING_FOLDER"), *flag = getenv("FAILING_FLAG");
  return folder && flag && strncmp(path, folder, strlen(folder)) == 0 && access(flag, F_OK) == 0;
}

static int fails(int file) {
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_IF(condition) if (condition) { errno = EIO; return -1; }

ssize_t write(int f, const void *b, size_t n) { FAIL_IF(fails(f)) return NEXT(write)(f, b, n); }
ssize_t pwrite(int f, const void *b, size_t n, off_t o) { FAIL_IF(fails(f)) return NEXT(pwrite)(f, b, n, o); }
ssize_t pwrite64(int f, const void *b, size_t n, off64_t o) { FAIL_IF(fails(f)) return NEXT(pwrite64)(f, b, n, o); }
ssize_t writev(int f, const struct iovec *v, int n) { FAIL_IF(fails(f)) return NEXT(writev)(f, v, n); }
ssize_t pwritev(int f, const struct iovec *v, int n, off_t o) { FAIL_IF(fails(f)) return NEXT(pwritev)(f, v, n, o); }
ssize_t pwritev64(int f, const struct iovec *v, int n, off64_t o) { FAIL_IF(fails(f)) return NEXT(pwritev64)(f, v, n, o); }
int fsync(int f) { FAIL_IF(fails(f)) return NEXT(fsync)(f); }
int fdatasync(int f) { FAIL_IF(fails(f)) return NEXT(fdatasync)(f); }
int ftruncate(int f, off_t n) { FAIL_IF(fails(f)) return NEXT(ftruncate)(f, n); }
int ftruncate64(int f, off64_t n) { FAIL_IF(fails(f)) return NEXT(ftruncate64)(f, n); }
int rename(const char *a, const char *b) { FAIL_IF(is_below(a)) return NEXT(rename)(a, b); }
