/*
 * Preloaded into a JVM: subtracts an offset, which another process sets, from both of its clocks. This imitates a suspension of
 * a virtual machine in which neither the monotonic nor the wall clock advances.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none;
static volatile int64_t *behind = &none;
static int (*real_clock)(clockid_t, struct timespec *);
static int (*real_wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("FAULTS_CLOCK");
    int file = path ? open(path, O_RDONLY) : -1;
    void *map = file >= 0 ? mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map != MAP_FAILED) {
        behind = map;
    }
    real_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    real_wait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
        dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
}

static void shift(struct timespec *time, int64_t nanos) {
    int64_t all = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + nanos;
    time->tv_sec = all / 1000000000;
    time->tv_nsec = all % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = real_clock ? real_clock(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME)) {
        shift(time, -*behind);
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

/* The caller has computed the deadline from a clock that is behind. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *deadline) {
    struct timespec real = *deadline;
    shift(&real, *behind);
    return real_wait(cond, mutex, &real);
}
