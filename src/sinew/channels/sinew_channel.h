/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sinew's channels for C: the binary interface that C++, Python and everybody else stands on.
 *
 * A channel is a file in shared memory that carries messages from any number of writers to any number of
 * readers. Nobody waits for anybody: a put overwrites the oldest message, a reader looks without being
 * noticed, and a process that dies or is stopped at any instruction takes nothing along but its own
 * unfinished message.
 *
 * Handles belong to one thread at a time. Functions that open, create or remove may allocate and make system
 * calls; sinew_put() and the sinew_read_… functions never allocate and never wait. Their only system calls
 * are one wake in sinew_put(), and in a reader with a descriptor what keeps that descriptor true.
 *
 * Times are nanoseconds on CLOCK_MONOTONIC unless their name says wall.
 */
#ifndef SINEW_CHANNEL_H
#define SINEW_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. Zero is success. */
typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_NOTHING_NEW = 1, /**< No message that this reader has not seen, or not yet that sequence number. */
  SINEW_TIMED_OUT = 2,   /**< The deadline passed. */
  SINEW_INTERRUPTED = 3, /**< A signal arrived, or sinew_cancel() was called. */
  SINEW_TOO_SMALL = 4,   /**< The buffer is smaller than the message; frame->size says what it takes. */
  SINEW_TOO_LARGE = 5,   /**< The message is larger than the channel's capacity. */
  SINEW_GONE = 6,        /**< That message has been overwritten by newer ones. */
  SINEW_REMOVED = 7,     /**< The channel was removed; open it again by name. */
  SINEW_NOT_FOUND = 8,   /**< No such channel. */
  SINEW_EXISTS = 9,      /**< There is such a channel already. */
  SINEW_DENIED = 10,     /**< The file's rights do not allow it. */
  SINEW_MISMATCH = 11,   /**< The channel carries another message or version than the one expected. */
  SINEW_DAMAGED = 12,    /**< The file is no channel, or its content breaks the rules of one. */
  SINEW_FULL = 13,       /**< As many writers as the channel has places for. */
  SINEW_INVALID = 14,    /**< An argument cannot be. */
  SINEW_SYSTEM = 15      /**< The operating system refused; the error's text carries its reason. */
} sinew_status;

/** Why an open, create or remove was refused, in words: what, where, value, bound, next step. */
typedef struct sinew_error {
  int32_t status;  /**< A sinew_status. */
  char text[1020]; /**< Ended by a zero byte. */
} sinew_error;

/** What a channel is to be. Start from sinew_options_init(). */
typedef struct sinew_options {
  const char* space; /**< The system it belongs to; NULL: "default". */
  const char* name;  /**< Such as "mds/state": words of letters, digits, '.', '-' and '_' with '/' between. */
  const char* schema; /**< Schema text of the message; NULL: bytes without meaning, or whatever is there. */
  const char* sender; /**< Who opens it, for people to see; NULL: the program's name. */
  uint32_t capacity;  /**< Largest message [bytes]; 0: the schema's size, or 1024. */
  uint32_t depth;     /**< Messages kept, rounded up to a power of two; 0: 16. */
  uint32_t writers;   /**< Places for writers; 0: 16. */
  uint32_t mode;      /**< Rights of the file as in chmod, such as 0644; 0: 0644. Who may write it may put. */
  uint32_t may_create; /**< Not zero: opening makes the channel when it is not there. */
} sinew_options;

/** What goes with a message. */
typedef struct sinew_frame {
  uint64_t sequence;   /**< Number of the message: 1, 2, 3, … without a gap. */
  int64_t stamp_ns;    /**< When it was put; never decreases from one message to the next. */
  int64_t wall_ns;     /**< When it was put, since 1970. */
  uint64_t missed;     /**< Messages between the last one this reader saw and this one. Exact. */
  uint32_t size;       /**< [bytes] */
  uint32_t sender_pid; /**< Process that put it: information, no proof. */
  uint32_t writer;     /**< The writer's place in the channel's table. */
  uint32_t reserved;
} sinew_frame;

/** What a channel is. */
typedef struct sinew_description {
  uint64_t channel_id;      /**< Tells this channel from an earlier or later one of the same name. */
  uint64_t schema_hash;     /**< 0: bytes without meaning. */
  uint64_t newest_sequence; /**< 0: nothing has been put yet. */
  uint32_t capacity;        /**< Largest message [bytes]. */
  uint32_t depth;           /**< Messages kept. */
  uint32_t writers;         /**< Places for writers. */
  uint32_t message_version;
  char message_name[64]; /**< Such as "JointState"; empty: bytes without meaning. */
} sinew_description;

typedef struct sinew_writer sinew_writer;
typedef struct sinew_reader sinew_reader;

/** Which messages a new reader has not seen yet. */
typedef enum sinew_start {
  SINEW_START_NEWEST = 0, /**< The newest there is, and all that follow. */
  SINEW_START_OLDEST = 1, /**< All that are still kept. */
  SINEW_START_NOW = 2     /**< Only what is put from now on. */
} sinew_start;

/** Sets every option to its default. */
SINEW_API void sinew_options_init(sinew_options* options);

/** Makes a channel; SINEW_EXISTS when it is there. `error` may be NULL here and below. */
SINEW_API int sinew_create(const sinew_options* options, sinew_error* error);

/** Removes a channel by name. Its readers and writers are told SINEW_REMOVED. */
SINEW_API int sinew_remove(const char* space, const char* name, sinew_error* error);

/** Opens a channel to put messages; NULL when refused. Needs the right to write the file. */
SINEW_API sinew_writer* sinew_writer_open(const sinew_options* options, sinew_error* error);

/**
 * The same, for one who writes alone: refused with SINEW_FULL while anybody else who lives has the channel
 * open to put, and while this writer is open so is everybody else. What a dead process held is free at once;
 * of several who ask at one instant, one gets it.
 */
SINEW_API sinew_writer* sinew_writer_open_alone(const sinew_options* options, sinew_error* error);

/** Gives the writer's place back. NULL is fine. */
SINEW_API void sinew_writer_close(sinew_writer* writer);

/** Puts one message. `sequence`, when not NULL, receives its number. Never waits. */
SINEW_API int sinew_put(sinew_writer* writer, const void* data, size_t size, uint64_t* sequence);

/** Opens a channel to read; NULL when refused. Needs the right to read the file, nothing more. */
SINEW_API sinew_reader* sinew_reader_open(const sinew_options* options, int start, sinew_error* error);

SINEW_API void sinew_reader_close(sinew_reader* reader);

/** The newest message, seen before or not. `frame` may be NULL here and below. */
SINEW_API int sinew_read_newest(sinew_reader* reader, void* buffer, size_t size, sinew_frame* frame);

/** The newest message if this reader has not seen it, else SINEW_NOTHING_NEW. */
SINEW_API int sinew_read_fresh(sinew_reader* reader, void* buffer, size_t size, sinew_frame* frame);

/** The oldest message that this reader has not seen and that is still kept. */
SINEW_API int sinew_read_next(sinew_reader* reader, void* buffer, size_t size, sinew_frame* frame);

/** Message number `sequence`. Leaves what the reader has seen as it is. */
SINEW_API int sinew_read_sequence(sinew_reader* reader, uint64_t sequence, void* buffer, size_t size,
                                  sinew_frame* frame);

/** The last message put at or before `stamp_ns`. Leaves what the reader has seen as it is. */
SINEW_API int sinew_read_at(sinew_reader* reader, int64_t stamp_ns, void* buffer, size_t size,
                            sinew_frame* frame);

/** Calls every message put so far seen. */
SINEW_API void sinew_skip(sinew_reader* reader);

/** Waits until there is an unseen message or `deadline_ns` has come; INT64_MAX waits for ever. */
SINEW_API int sinew_wait(sinew_reader* reader, int64_t deadline_ns);

/** Ends a sinew_wait() in another thread within 50 ms, or the next one at once. May be called from a signal
 * handler. */
SINEW_API void sinew_cancel(sinew_reader* reader);

/**
 * A descriptor for poll() and epoll that is readable while there are unseen messages (now and then also when
 * there are none). Belongs to the reader; do not close or read it. The first call starts a thread. -1 when
 * refused.
 */
SINEW_API int sinew_reader_fd(sinew_reader* reader);

SINEW_API void sinew_describe_reader(const sinew_reader* reader, sinew_description* description);
SINEW_API void sinew_describe_writer(const sinew_writer* writer, sinew_description* description);

/** The channel's schema text; empty when it carries bytes without meaning. Lives as long as the handle. */
SINEW_API const char* sinew_reader_schema(const sinew_reader* reader);
SINEW_API const char* sinew_writer_schema(const sinew_writer* writer);

/** The schema text of one of Sinew's own messages, such as "JointState"; NULL when there is no such message.
 */
SINEW_API const char* sinew_schema_of(const char* message_name);

/** Name number `index`, from 0, of Sinew's own messages; NULL when there are no more. */
SINEW_API const char* sinew_message_name(size_t index);

/** "ok", "nothing new", "timed out", … */
SINEW_API const char* sinew_status_text(int status);

#ifdef __cplusplus
}
#endif

#endif
