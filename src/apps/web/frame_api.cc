// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/frame_api.h"

#include "apps/web/api_needs.h"
#include "apps/web/frame_json.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

void list(const ApiCall& call, const FrameStore& store, const char* key) {
  Json frames = Json::array();
  for (const TaughtFrame& frame : store.all()) frames.push_back(frame_json(frame));
  call.reply(200, {{key, std::move(frames)}, {"undo", store.undo_count()}, {"redo", store.redo_count()}});
}

void put(const ApiCall& call, FrameStore& store) {
  auto frame = frame_from(call.body, call.names[0]);
  if (!frame) return call.refuse(frame.error());
  frame->name = call.names[0];
  call.finish(store.put(*std::move(frame)));
}

}  // namespace

std::vector<ApiRow> frame_rows(FrameStore& tools, FrameStore& frames) {
  const auto steps = [](FrameStore& store, Status (FrameStore::*change)()) {
    return [&store, change](const ApiCall& call) { call.finish((store.*change)()); };
  };
  return {{"GET", "/api/tools", needs::kWatch, [&](const ApiCall& call) { list(call, tools, "tools"); }},
          {"POST", "/api/tools/undo", needs::kTeach, steps(tools, &FrameStore::undo)},
          {"POST", "/api/tools/redo", needs::kTeach, steps(tools, &FrameStore::redo)},
          {"PUT", "/api/tools/{name}", needs::kTeach, [&](const ApiCall& call) { put(call, tools); }},
          {"DELETE", "/api/tools/{name}", needs::kTeach,
           [&](const ApiCall& call) { call.finish(tools.remove(call.names[0])); }},
          {"GET", "/api/frames", needs::kWatch, [&](const ApiCall& call) { list(call, frames, "frames"); }},
          {"POST", "/api/frames/undo", needs::kTeach, steps(frames, &FrameStore::undo)},
          {"POST", "/api/frames/redo", needs::kTeach, steps(frames, &FrameStore::redo)},
          {"PUT", "/api/frames/{name}", needs::kTeach, [&](const ApiCall& call) { put(call, frames); }},
          {"DELETE", "/api/frames/{name}", needs::kTeach,
           [&](const ApiCall& call) { call.finish(frames.remove(call.names[0])); }}};
}

}  // namespace sinew
