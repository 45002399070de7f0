// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/motion_api.h"
#include "apps/web/point_store.h"
#include "apps/web/program_notes.h"
#include "apps/web/program_store.h"

namespace sinew {

/// The calls about programs and taught points. All parts must outlive the rows.
class ProgramApi {
 public:
  struct Parts {
    RobotDesk& robot;
    MotionApi& motion;
    ProgramStore& programs;
    ProgramNotes& notes;
    PointStore& points;
    Background& background;
  };
  explicit ProgramApi(const Parts& parts) : parts_(parts) {}

  std::vector<ApiRow> rows();

 private:
  void list(const ApiCall& call);
  void read(const ApiCall& call);
  void write(const ApiCall& call);
  void remove(const ApiCall& call);
  void mark(const ApiCall& call);
  void history(const ApiCall& call);
  void version(const ApiCall& call);
  nlohmann::ordered_json program_json(const std::string& name, const std::string& text) const;
  /// Whether the program is the one that the call means; else it is told what it is by now. Calls that name
  /// no version mean the one that is there.
  bool is_meant(const ApiCall& call, const std::string& name) const;
  void look(const ApiCall& call, bool wants_moves);
  void run(const ApiCall& call, RequestVerb verb);
  void set_breakpoints(const ApiCall& call);
  void show_points(const ApiCall& call);
  void replace_points(const ApiCall& call);
  void record_point(const ApiCall& call);

  Parts parts_;
};

}  // namespace sinew
