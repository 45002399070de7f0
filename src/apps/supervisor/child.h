// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/restart_rules.h"
#include "sinew/processes/roles.h"
#include "sinew/processes/run_folder.h"

namespace sinew::supervisor {

enum class Phase {
  Pending,   ///< Has not been started.
  Starting,  ///< Runs and has not said that it is ready.
  Running,
  Waiting,   ///< Died; will be started anew.
  GaveUp,    ///< Died too often, or on trial; is left dead.
  Stopping,  ///< Was asked to end.
  Ended,
};
std::string_view phase_text(Phase phase);

/// One process and the way it is kept alive. Driven by look(); never waits for the process.
class Child {
 public:
  /// On trial, a death is final: for the first start, whose failure is told to the one who asked.
  Child(const processes::RunFolder& folder, const processes::RobotPlan& robot,
        const processes::ProcessPlan& plan, bool is_on_trial);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Starts it: Starting, or GaveUp with a word when the program cannot be run and it is on trial.
  void start(std::int64_t now_ns);

  /// Takes up the process that an earlier supervisor started, or counts it as died. Pending if it never ran.
  void adopt(std::int64_t now_ns);

  /// Sees what has happened to it and does what is due.
  void look(std::int64_t now_ns);

  /// SIGTERM to all of its session now, SIGKILL after `grace_ns`.
  void ask_to_end(std::int64_t now_ns, std::int64_t grace_ns);

  /// Writes its files anew where somebody has removed them: who it is, and that it is ready.
  void write_files() const;

  /// Forgets its deaths and starts it now if it is dead.
  void try_again(std::int64_t now_ns);
  void end_trial() { is_on_trial_ = false; }

  /// When look() has something to do at the latest; kNever_ns: only when watch() becomes readable.
  std::int64_t next_look_ns() const;
  /// Readable when it has died; -1 while there is no process, or a dead one that is cleared away.
  int watch() const { return is_dying() ? -1 : watch_; }

  const std::string& role() const { return plan_.role; }
  Phase phase() const { return phase_; }
  const processes::ProcessIdentity& identity() const { return identity_; }
  std::uint32_t restarts() const { return restarts_; }
  /// How it ended last, and what follows from it; empty: it never did.
  const std::string& word() const { return word_; }
  const std::string& log_path() const { return log_path_; }
  /// What it said since it was started last.
  std::string last_words() const;
  /// What it last told people on its ready file; empty: nothing.
  std::string note() const;

 private:
  bool has_process() const { return watch_ >= 0 || is_dying(); }
  /// Dead, and what it left of its session is being killed.
  bool is_dying() const { return died_ns_ != 0; }
  bool says_ready() const;
  void note_death(std::int64_t now_ns, const std::string& how);
  void look_at_death(std::int64_t now_ns);
  void begin_to_clear(std::int64_t now_ns);
  void clear(std::int64_t now_ns);
  void look_at_readiness(std::int64_t now_ns);
  void decide_after_death(std::int64_t now_ns, std::int64_t lived_ns, const std::string& life);
  std::string reap() const;

  const processes::RobotPlan& robot_;
  processes::ProcessPlan plan_;
  std::string pid_path_;
  std::string ready_path_;
  std::string log_path_;
  processes::RestartCounter counter_;
  processes::ProcessIdentity identity_;
  Phase phase_ = Phase::Pending;
  bool is_on_trial_ = false;
  bool is_our_child_ = false;  ///< False: adopted; somebody else reaps it.
  int watch_ = -1;
  std::uint32_t restarts_ = 0;
  std::int64_t started_ns_ = 0;
  std::int64_t died_ns_ = 0;  ///< When it was seen to be dead; zero: it is not, or all is cleared away.
  std::int64_t due_ns_ = 0;   ///< Waiting: start then. Stopping: kill then.
  std::uint64_t log_start_ = 0;
  std::string word_;
  std::string cause_;  ///< Why we killed it, if we did.
};

}  // namespace sinew::supervisor
