// Tells the thread sanitizer of what it cannot see: where a Swift `Mutex` is contended, the kernel hands it over (a futex with
// priority inheritance), inside of a library that is not instrumented. Without this each contended `withLock` is reported as a
// race. Preloaded by scripts/sanitize/run; nothing that is shipped knows of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void (*LockSlow)(uint32_t thread, SELF void *handle);
typedef SWIFT void (*UnlockSlow)(SELF void *handle);

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock_slow(SELF void *handle) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
    static LockSlow next;
    if (!next) next = (LockSlow)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    next(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) {
    static UnlockSlow next;
    if (!next) next = (UnlockSlow)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(handle);
    next(handle);
}
