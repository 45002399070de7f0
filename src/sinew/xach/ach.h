/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The x-Ach view: Ach's calls on Sinew's channels, so that a controller written for Ach runs after a re-link
 * with -lach. Names, numbers and meanings are Ach's; the code is ours.
 *
 * The Ach channel "mds-ref" is Sinew's channel "ach/mds-ref". Make one with ach_create(), or from a shell
 * with sinew channel mk ach/mds-ref --capacity 30000 --depth 16
 *
 * Ach's calls have no place for a space. For this view, and nowhere else, the environment variable
 * SINEW_SPACE names it when a channel is created, opened or unlinked; without it the space is "default". So a
 * program that cannot be changed can still be tried beside the robot in a space of its own.
 *
 * Better than Ach:
 *  - a writer killed in the middle of ach_put() takes only its unfinished frame along: ACH_CORRUPT for ever
 *    after does not happen, and neither a killed nor a stopped reader ever holds up ach_put();
 *  - readers need the right to read, not to write; channels serve 32- and 64-bit programs alike;
 *  - ach_channel_fd() gives a descriptor for poll() without a kernel module;
 *  - who holds a channel that was unlinked is told ACH_CLOSED, where Ach would leave it waiting for ever.
 *
 * Different from Ach:
 *  - as many frames are kept as frame_cnt says, rounded up to a power of two and at most 4096, whatever their
 *    sizes; in Ach large frames push out more than one;
 *  - a frame may take frame_cnt * frame_size bytes as in Ach, unless that would make a writer's share of the
 *    memory larger than 64 MiB; then it may take what fits into that share, but at least frame_size;
 *  - at most 32 handles may put to a channel at a time (fewer above 1024 frames); readers are not counted;
 *  - the clock is CLOCK_MONOTONIC; another one is refused with ACH_EINVAL. So is ACH_MAP_ANON;
 *  - a handle takes its place as a writer with its first ach_put(), which is therefore slower than the rest
 *    and answers ACH_EACCES to those who may only read;
 *  - what is about Ach's memory, name service and event loop does not exist: ach_dump(), ach_srv_search(),
 *    ach_evhandle(), ach_attr_set_shm(), ach_create_attr_get_shm(), ach_channel_map(), ach_channel_clock().
 *
 * One thread at a time may call ach_get() and ach_flush() on a handle. ach_put() may be called from several,
 * and ach_cancel() from any thread or signal handler.
 */
#ifndef ACH_H
#define ACH_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#if defined(__GNUC__)
#define ACH_API __attribute__((visibility("default")))
#else
#define ACH_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. */
typedef enum ach_status {
  ACH_OK = 0,
  ACH_OVERFLOW = 1,       /**< The buffer, or the channel, is too small for the frame. */
  ACH_INVALID_NAME = 2,   /**< Names are at most 64 letters, digits, '.', '-' and '_'; '.' not first. */
  ACH_BAD_SHM_FILE = 3,   /**< The file is no channel. */
  ACH_FAILED_SYSCALL = 4, /**< The operating system refused; ach_errstr() says why. */
  ACH_STALE_FRAMES = 5,   /**< Nothing that this handle has not seen. */
  ACH_MISSED_FRAME = 6,   /**< The frame is in the buffer, and at least one before it was not seen. */
  ACH_TIMEOUT = 7,        /**< No frame until then. */
  ACH_EEXIST = 8,         /**< There is such a channel already. */
  ACH_ENOENT = 9,         /**< No such channel. */
  ACH_CLOSED = 10,        /**< The channel was unlinked; open it again. */
  ACH_BUG = 11,           /**< Not used. */
  ACH_EINVAL = 12,        /**< An argument cannot be. */
  ACH_CORRUPT = 13,       /**< A stray write has spoilt the channel's memory. */
  ACH_BAD_HEADER = 14,    /**< Not used. */
  ACH_EACCES = 15,        /**< The file's rights do not allow it. */
  ACH_CANCELED = 16,      /**< ach_cancel() was called. */
  ACH_EFAULT = 17,        /**< Not used. */
  ACH_EINTR = 18          /**< Not used: ach_get() goes on waiting after a signal. */
} ach_status_t;

/** Options of ach_get(), to be combined by |. Zero: the oldest frame not seen, without waiting. */
typedef enum ach_get_opts {
  ACH_O_WAIT = 0x01,   /**< Wait for a frame that this handle has not seen. */
  ACH_O_LAST = 0x02,   /**< The newest frame; those before it count as seen. */
  ACH_O_COPY = 0x04,   /**< When all has been seen, the newest frame once more. */
  ACH_O_RELTIME = 0x08 /**< The timeout counts from now. */
} ach_get_opts_t;

/** Where Ach would keep a channel. All but ACH_MAP_ANON mean the same here. */
enum ach_map { ACH_MAP_DEFAULT = 0, ACH_MAP_ANON = 1, ACH_MAP_USER = 2, ACH_MAP_KERNEL = 3 };

#define ACH_DEFAULT_CLOCK CLOCK_MONOTONIC
#define ACH_DEFAULT_FRAME_COUNT 16
#define ACH_DEFAULT_FRAME_SIZE 512
#define ACH_CHAN_NAME_MAX 64ul
#define ACH_MAX_NAME ACH_CHAN_NAME_MAX

/** How to open a channel. Start from ach_attr_init(). */
typedef struct ach_attr {
  enum ach_map map;
  uint64_t reserved[7];
} ach_attr_t;

/** How to create a channel. Start from ach_create_attr_init(). */
typedef struct ach_create_attr {
  enum ach_map map;
  clockid_t clock;            /**< Counts when set_clock is set. */
  unsigned int truncate : 1;  /**< An existing channel is unlinked first. */
  unsigned int set_clock : 1; /**< `clock` is meant. */
  uint64_t reserved[14];
} ach_create_attr_t;

typedef struct ach_cancel_attr {
  int async_unsafe; /**< No matter here: ach_cancel() is always safe in a signal handler. */
  int64_t reserved[7];
} ach_cancel_attr_t;

/** A handle, in the caller's memory. Its members are not to be touched. */
typedef struct ach_channel {
  uint64_t mark;             /**< Tells an open handle from one that is not. */
  uint64_t seq_num;          /**< Number of the last frame seen; 0: none. */
  struct ach_handle* handle; /**< The rest. */
  uint64_t reserved[13];
} ach_channel_t;

ACH_API void ach_attr_init(ach_attr_t* attr);
ACH_API void ach_create_attr_init(ach_create_attr_t* attr);
ACH_API void ach_cancel_attr_init(ach_cancel_attr_t* attr);

/** Any but CLOCK_MONOTONIC is ACH_EINVAL. */
ACH_API enum ach_status ach_create_attr_set_clock(ach_create_attr_t* attr, clockid_t clock);
/** ACH_MAP_ANON is ACH_EINVAL. */
ACH_API enum ach_status ach_create_attr_set_map(ach_create_attr_t* attr, enum ach_map map);
ACH_API enum ach_status ach_create_attr_set_truncate(ach_create_attr_t* attr, int truncate);

/** Makes a channel for `frame_cnt` frames of `frame_size` bytes each; a zero stands for the default. `attr`
 * may be NULL. */
ACH_API enum ach_status ach_create(const char* channel_name, size_t frame_cnt, size_t frame_size,
                                   ach_create_attr_t* attr);

/** Takes a channel's name away. Those who have it open are told ACH_CLOSED. */
ACH_API enum ach_status ach_unlink(const char* channel_name);

/** Opens a channel. All frames that are kept count as not seen. `attr` may be NULL. */
ACH_API enum ach_status ach_open(ach_channel_t* channel, const char* channel_name, ach_attr_t* attr);

/**
 * Copies a frame to `buffer` and its size to `*frame_size`. With ACH_OVERFLOW the size says what it takes,
 * and the frame remains unseen. `timeout` is a time on CLOCK_MONOTONIC, or with ACH_O_RELTIME a span; NULL:
 * for ever. Both ACH_OK and ACH_MISSED_FRAME deliver.
 */
ACH_API enum ach_status ach_get(ach_channel_t* channel, void* buffer, size_t size, size_t* frame_size,
                                const struct timespec* timeout, int options);

/** Puts a frame of `size` bytes, at least one. Never waits for a reader. */
ACH_API enum ach_status ach_put(ach_channel_t* channel, const void* buffer, size_t size);

/** Calls every frame put so far seen by this handle. */
ACH_API enum ach_status ach_flush(ach_channel_t* channel);

ACH_API enum ach_status ach_close(ach_channel_t* channel);

/** Sets the rights of the channel's file. */
ACH_API enum ach_status ach_chmod(ach_channel_t* channel, mode_t mode);

/** Ends the ach_get() that waits on this handle, or the next one that would. `attr` may be NULL. */
ACH_API enum ach_status ach_cancel(ach_channel_t* channel, const ach_cancel_attr_t* attr);

/** A descriptor for poll(), readable while there are frames not seen. Belongs to the handle; not to be read.
 */
ACH_API enum ach_status ach_channel_fd(const ach_channel_t* channel, int* descriptor);

/** "ACH_OK", "ACH_STALE_FRAMES", … */
ACH_API const char* ach_result_to_string(ach_status_t result);

/** Why the last call of this thread that was refused was refused; empty when none was. */
ACH_API const char* ach_errstr(void);

#ifdef __cplusplus
}
#endif

#endif
