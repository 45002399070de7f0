// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/channel_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/futex.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/version.h"
#include "sinew/messages/message_schema.h"
#include "sinew/messages/schema.h"

namespace sinew::channels {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Error system_error(std::string_view what, const std::string& path) {
  const int number = errno;
  if (number == EACCES || number == EPERM || number == EROFS) {
    return {ErrorCode::Denied, fmt::format("{}: {}", what, rights_text(path))};
  }
  return {number == ENOENT ? ErrorCode::NotFound : ErrorCode::SystemFailure,
          fmt::format("{}: {} ({})", what, std::strerror(number), path)};
}

std::string name_of(const ChannelOptions& options) {
  return options.space == kDefaultSpace
             ? fmt::format("channel '{}'", options.name)
             : fmt::format("channel '{}' of space '{}'", options.name, options.space);
}

struct NewChannel {
  Layout layout;
  std::string message_name;
  std::uint32_t message_version = 0;
};

Result<NewChannel> plan(const ChannelOptions& options) {
  NewChannel planned;
  std::uint32_t capacity = 1024;
  if (!options.schema.empty()) {
    const auto schema = parse_schema(options.schema);
    if (!schema) return schema.error();
    planned.message_name = schema->message().name;
    planned.message_version = schema->message().version;
    capacity = schema->message().size;
  }
  planned.layout = {.depth = std::bit_ceil(std::min(std::max(options.depth, 1U), kMaxDepth + 1)),
                    .writers = options.writers,
                    .capacity = options.capacity != 0 ? options.capacity : capacity,
                    .schema_size = static_cast<std::uint32_t>(options.schema.size())};
  if (const Status checked = check_layout(planned.layout); !checked) return checked.error();
  if (planned.layout.capacity < capacity && !options.schema.empty()) {
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("capacity {} is less than the {} bytes of {}", planned.layout.capacity, capacity,
                             planned.message_name)};
  }
  return planned;
}

// Writes the header and schema into a file of zeros; the file has no name yet.
void write_header(std::byte* start, const ChannelOptions& options, const NewChannel& planned) {
  auto* header = new (start) ChannelHeader{};
  header->magic = kMagic;
  header->abi_version = kAbiVersion;
  header->endian_mark = kEndianMark;
  if (getrandom(&header->channel_id, sizeof header->channel_id, 0) < 0)
    header->channel_id = static_cast<std::uint64_t>(monotonic_now_ns());
  header->file_size = planned.layout.file_size();
  header->depth = planned.layout.depth;
  header->writers = planned.layout.writers;
  header->capacity = planned.layout.capacity;
  header->schema_size = planned.layout.schema_size;
  header->schema_hash = schema_hash(options.schema);
  header->created_wall_ns = wall_now_ns();
  header->creator_pid = static_cast<std::uint32_t>(getpid());
  header->message_version = planned.message_version;
  set_text(header->message_name, planned.message_name);
  set_text(header->creator_name, options.sender.empty() ? process_name(header->creator_pid) : options.sender);
  set_text(header->creator_version, kVersion);
  std::memcpy(start + planned.layout.schema_offset(), options.schema.data(), options.schema.size());
}

Result<std::byte*> map(int descriptor, std::uint64_t size, Access access, const std::string& path) {
  if (size > SIZE_MAX)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("{} bytes of {} do not fit into a process of this machine", size, path)};
  const int protection = access == Access::Write ? PROT_READ | PROT_WRITE : PROT_READ;
  void* start = mmap(nullptr, static_cast<std::size_t>(size), protection, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) return system_error("cannot map the channel", path);
  return static_cast<std::byte*>(start);
}

const char* which_is_older(std::uint32_t theirs, std::uint32_t ours) {
  if (theirs < ours) return "the program that made the channel is older: restart it with the new build";
  if (theirs > ours) return "this program is older: rebuild it";
  return "both say the same version, so neither is known to be older: a layout was changed without raising "
         "kVersion";
}

Status check_schema(const ChannelFile& file, const ChannelOptions& options) {
  const ChannelHeader& header = file.header();
  const std::uint64_t wanted = schema_hash(options.schema);
  if (schema_hash(file.schema()) != header.schema_hash) {
    return Error{ErrorCode::Damaged, fmt::format("{}: the schema text in {} does not match its own hash",
                                                 name_of(options), file.path())};
  }
  if (wanted == 0 || wanted == header.schema_hash) return Done{};
  const auto schema = parse_schema(options.schema);
  if (!schema) return schema.error();
  const SchemaStruct& ours = schema->message();
  const std::string_view theirs = text_of(header.message_name);
  if (header.schema_hash == 0) {
    return Error{ErrorCode::Mismatch,
                 fmt::format("{} carries bytes without a schema, and this program expects {} version {} "
                             "(hash {:016x}); remove the channel and let it be made anew",
                             name_of(options), ours.name, ours.version, wanted)};
  }
  const bool same_name = theirs == ours.name;
  return Error{ErrorCode::Mismatch,
               fmt::format("{} carries {} version {} (hash {:016x}, made by '{}' pid {} with Sinew {}), and "
                           "this program expects {} version {} (hash {:016x}, Sinew {}): {}",
                           name_of(options), theirs, header.message_version, header.schema_hash,
                           text_of(header.creator_name), header.creator_pid, text_of(header.creator_version),
                           ours.name, ours.version, wanted, kVersion,
                           same_name ? which_is_older(header.message_version, ours.version)
                                     : "they are different messages; check the channel's name")};
}

// Makes the file and the folders above it; NotFound when somebody removed a folder meanwhile.
Status make_file(const std::string& path, const ChannelOptions& options, const NewChannel& planned) {
  if (Status made = make_folders(path); !made) return made;
  // the file gets its name only when it is complete; a maker that dies before leaves nothing behind
  const std::string folder = path.substr(0, path.rfind('/'));
  const Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.number() < 0) return system_error("cannot make " + name_of(options), folder);
  const std::uint64_t size = planned.layout.file_size();
  const std::uint64_t head_size = planned.layout.slots_offset();
  if (ftruncate(file.number(), static_cast<off_t>(size)) != 0 || fchmod(file.number(), options.mode) != 0)
    return system_error("cannot make " + name_of(options), path);
  // writing to a full /dev/shm would end the process by a signal; a writer's slots are reserved when it opens
  errno = posix_fallocate(file.number(), 0, static_cast<off_t>(head_size));
  if (errno != 0) return system_error("cannot make " + name_of(options), path);
  const auto start = map(file.number(), head_size, Access::Write, path);
  if (!start) return start.error();
  write_header(*start, options, planned);
  munmap(*start, static_cast<std::size_t>(head_size));

  const std::string unnamed = fmt::format("/proc/self/fd/{}", file.number());
  if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) return Done{};
  if (errno == EEXIST)
    return Error{ErrorCode::AlreadyExists, fmt::format("{} is there already ({})", name_of(options), path)};
  return system_error("cannot make " + name_of(options), folder);
}

}  // namespace

Status ChannelFile::create(const ChannelOptions& options) {
  const auto path = channel_path(options.space, options.name);
  if (!path) return path.error();
  const auto planned = plan(options);
  if (!planned)
    return Error{planned.error().code,
                 fmt::format("cannot make {}: {}", name_of(options), planned.error().message)};
  if ((options.mode & ~0777U) != 0)
    return Error{ErrorCode::InvalidInput, fmt::format("mode {:o} is not within 0 to 777", options.mode)};
  // whoever removes the last channel of a robot removes its folder, perhaps just now
  for (int attempt = 0;; ++attempt) {
    Status made = make_file(*path, options, *planned);
    if (made || made.error().code != ErrorCode::NotFound || attempt == 100) return made;
  }
}

Result<ChannelFile> ChannelFile::open(const ChannelOptions& options, Access access) {
  const auto path = channel_path(options.space, options.name);
  if (!path) return path.error();
  // a channel may be removed between making and opening it, but not for ever
  for (int attempt = 0;; ++attempt) {
    auto file = open_path(*path, access);
    if (file) {
      if (const Status checked = check_schema(*file, options); !checked) return checked.error();
      return file;
    }
    if (file.error().code != ErrorCode::NotFound)
      return Error{file.error().code, fmt::format("{}: {}", name_of(options), file.error().message)};
    if (!options.may_create || attempt == 10) {
      return Error{ErrorCode::NotFound,
                   fmt::format("there is no {} ({}); 'sinew channel ls' shows those there are",
                               name_of(options), *path)};
    }
    const Status made = create(options);
    if (!made && made.error().code != ErrorCode::AlreadyExists) return made.error();
  }
}

Result<ChannelFile> ChannelFile::open_path(const std::string& path, Access access) {
  const int flags = (access == Access::Write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor descriptor(::open(path.c_str(), flags));
  if (descriptor.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return Error{ErrorCode::NotFound, fmt::format("there is no file {}", path)};
    if (errno == ELOOP || errno == EISDIR || errno == ENXIO)
      return Error{ErrorCode::Damaged,
                   fmt::format("{} is no channel but a link, a folder or a device", path)};
    return system_error(access == Access::Write ? "it may not be written" : "it may not be read", path);
  }
  struct stat status {};
  if (fstat(descriptor.number(), &status) != 0) return system_error("cannot look at the channel", path);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::Damaged, fmt::format("{} is no regular file", path)};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < sizeof(ChannelHeader))
    return Error{ErrorCode::Damaged,
                 fmt::format("{} is no channel: {} bytes are too short for one", path, size)};

  alignas(ChannelHeader) std::byte bytes[sizeof(ChannelHeader)];
  if (pread(descriptor.number(), bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    return system_error("cannot read the channel's header", path);
  const auto layout = read_layout(*reinterpret_cast<const ChannelHeader*>(bytes), size);
  if (!layout)
    return Error{layout.error().code,
                 fmt::format("{} cannot be used as a channel: {}", path, layout.error().message)};

  const auto start = map(descriptor.number(), size, access, path);
  if (!start) return start.error();
  ChannelFile file;
  file.path_ = path;
  file.memory_ = {.start = *start, .layout = *layout};
  file.descriptor_ = descriptor.release();
  // the schema is handed out as a text of C
  if (file.memory_.schema()[layout->schema_size] != '\0')
    return Error{ErrorCode::Damaged,
                 fmt::format("{} cannot be used as a channel: its schema has no end", path)};
  return file;
}

Status ChannelFile::remove(std::string_view space, std::string_view name) {
  const auto path = channel_path(space, name);
  if (!path) return path.error();
  auto file = open_path(*path, Access::Write);
  if (unlink(path->c_str()) != 0) {
    if (errno == ENOENT)
      return Error{ErrorCode::NotFound, fmt::format("there is no channel '{}' in space '{}'", name, space)};
    if (errno == EACCES || errno == EPERM) {
      return Error{ErrorCode::Denied, fmt::format("cannot remove channel '{}': {}", name,
                                                  rights_text(path->substr(0, path->rfind('/'))))};
    }
    return system_error("cannot remove the channel", *path);
  }
  // without the right to write, users find out for themselves, a little later
  if (file) {
    file->memory().header().removed.store(1, std::memory_order_release);
    wake_all(file->memory().header().head);
  }
  // folders of a robot whose last channel this was; the space's own folder stays
  const std::string space_path = *space_folder(space);
  for (std::string folder = path->substr(0, path->rfind('/')); folder != space_path;
       folder.resize(folder.rfind('/'))) {
    if (rmdir(folder.c_str()) != 0) break;
  }
  return Done{};
}

ChannelFile::ChannelFile(ChannelFile&& other) noexcept {
  *this = std::move(other);
}

ChannelFile& ChannelFile::operator=(ChannelFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(memory_, other.memory_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

ChannelFile::~ChannelFile() {
  if (memory_.start != nullptr) munmap(memory_.start, static_cast<std::size_t>(memory_.layout.file_size()));
  if (descriptor_ >= 0) close(descriptor_);
}

bool ChannelFile::is_removed() const {
  struct stat status {};
  return header().removed.load(std::memory_order_relaxed) != 0 ||
         (fstat(descriptor_, &status) == 0 && status.st_nlink == 0);
}

}  // namespace sinew::channels
