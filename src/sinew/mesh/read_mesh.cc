// SPDX-License-Identifier: BSD-3-Clause
// The only file that knows assimp.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/mesh/polygon.h"
#include "sinew/mesh/shape_file.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/model/text_input.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr double kFarthestCorner = 1e6;  // [m] what a number without sense is beyond, whatever its unit

Error refusal(const fs::path& path, ErrorCode code, std::string_view what) {
  return {code, fmt::format("mesh {}: {}", path.string(), what)};
}

// What assimp calls the format; nothing for the many that it knows and we do not read.
std::optional<std::string> format_of(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".stl" || ending == ".obj" || ending == ".dae") return ending.substr(1);
  return std::nullopt;
}

// A binary STL says how many triangles follow; what is shorter was cut off.
Status check_stl_length(const fs::path& path, std::string_view bytes) {
  constexpr std::size_t kHeader = 84;
  constexpr std::size_t kTriangle = 50;
  const bool is_text = bytes.starts_with("solid") && bytes.find("facet") < 1024;
  if (is_text) return Done{};
  std::uint32_t count = 0;
  if (bytes.size() >= kHeader) std::memcpy(&count, bytes.data() + 80, sizeof(count));
  if (bytes.size() >= kHeader && bytes.size() - kHeader >= count * kTriangle) return Done{};
  return refusal(path, ErrorCode::Damaged,
                 fmt::format("its header promises {} triangles, but it has only {}; fetch it again", count,
                             bytes_text(bytes.size())));
}

// Collects triangles, and makes one vertex of all corners at the same place.
class Collector {
 public:
  explicit Collector(const Vector3& scale) : scale_(scale), is_mirrored_(scale.prod() < 0.0) {}

  /// Refuses numbers that are none or that no part of a robot has, and polygons that cost too much; only what
  /// is wrong, and where.
  Status add(const aiMesh& part) {
    std::vector<Vector3> places(part.mNumVertices);
    std::vector<std::uint32_t> index(part.mNumVertices);
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& v = part.mVertices[i];
      const Vector3 p = Vector3(v.x, v.y, v.z).cwiseProduct(scale_);
      if (!p.allFinite())
        return Error{ErrorCode::Damaged, "a coordinate is not a finite number; export it again"};
      if (p.cwiseAbs().maxCoeff() > kFarthestCorner)
        return Error{ErrorCode::OutOfLimits,
                     fmt::format("corner {} of {} lies at {:g} {:g} {:g} m, farther than {:g} m; export it "
                                 "again, or mend its scale",
                                 i + 1, part_text(part), p.x(), p.y(), p.z(), kFarthestCorner)};
      places[i] = p;
      index[i] = vertex_at(p);
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i)
      if (Status added = add(part.mFaces[i], places, index); !added)
        return Error{added.error().code,
                     fmt::format("face {} of {} {}", i + 1, part_text(part), added.error().message)};
    return Done{};
  }

  TriangleMesh take() { return std::move(mesh_); }

 private:
  static std::string part_text(const aiMesh& part) {
    return part.mName.length == 0 ? "the mesh" : fmt::format("'{}'", shown(part.mName.C_Str()));
  }

  Status add(const aiFace& face, const std::vector<Vector3>& places,
             const std::vector<std::uint32_t>& index) {
    corners_.clear();
    for (unsigned i = 0; i < face.mNumIndices; ++i) corners_.push_back(places[face.mIndices[i]]);
    cut_.clear();
    if (!cutter_.cut(corners_, cut_))
      return Error{ErrorCode::OutOfLimits,
                   fmt::format("has {} corners and is not convex: too many to be cut into triangles here; "
                               "export it as triangles",
                               face.mNumIndices)};
    for (const auto& triangle : cut_) {
      std::array<std::uint32_t, 3> corners{index[face.mIndices[triangle[0]]],
                                           index[face.mIndices[triangle[1]]],
                                           index[face.mIndices[triangle[2]]]};
      if (is_mirrored_) std::swap(corners[1], corners[2]);
      const bool has_area = corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
      if (has_area) mesh_.triangles.push_back(corners);
    }
    return Done{};
  }

  std::uint32_t vertex_at(const Vector3& p) {
    // + 0.0: minus zero is the same place
    const auto [found, is_new] = known_.try_emplace({p.x() + 0.0, p.y() + 0.0, p.z() + 0.0},
                                                    static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(p);
    return found->second;
  }

  Vector3 scale_;
  bool is_mirrored_;
  TriangleMesh mesh_;
  PolygonCutter cutter_;
  std::vector<Vector3> corners_;                   // of a face
  std::vector<std::array<std::uint32_t, 3>> cut_;  // its triangles
  std::map<std::tuple<double, double, double>, std::uint32_t> known_;
};

std::size_t triangles_in(const aiMesh& part) {
  std::size_t count = 0;
  for (unsigned i = 0; i < part.mNumFaces; ++i) count += std::max(part.mFaces[i].mNumIndices, 2U) - 2U;
  return count;
}

Result<TriangleMesh> collect(const fs::path& path, const aiScene& scene, const Vector3& scale) {
  std::size_t count = 0;
  for (unsigned i = 0; i < scene.mNumMeshes; ++i) count += triangles_in(*scene.mMeshes[i]);
  if (count > kMostMeshTriangles) {
    return refusal(path, ErrorCode::OutOfLimits,
                   fmt::format("it has {} triangles, more than {}; simplify it", count, kMostMeshTriangles));
  }
  Collector collector(scale);
  for (unsigned i = 0; i < scene.mNumMeshes; ++i) {
    if (Status added = collector.add(*scene.mMeshes[i]); !added)
      return refusal(path, added.error().code, added.error().message);
  }
  TriangleMesh mesh = collector.take();
  if (mesh.triangles.empty())
    return refusal(path, ErrorCode::InvalidInput, "it has no triangle; export it again");
  return mesh;
}

Result<TriangleMesh> import(const fs::path& path, const std::string& bytes, const std::string& format,
                            const Vector3& scale) {
  Assimp::Importer importer;
  // ROS reads COLLADA so: the unit counts, the up axis does not
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // from memory, so that no file can make it open another; polygons are cut here, within bounds
  const aiScene* scene = importer.ReadFileFromMemory(
      bytes.data(), bytes.size(), aiProcess_PreTransformVertices | aiProcess_SortByPType, format.c_str());
  if (scene != nullptr) return collect(path, *scene, scale);
  return refusal(path, ErrorCode::Damaged,
                 fmt::format("cannot be understood ({}); export it again", importer.GetErrorString()));
}

}  // namespace

Result<TriangleMesh> mesh_from_bytes(const fs::path& path, const std::string& bytes, const Vector3& scale) {
  if (!scale.allFinite() || (scale.array() == 0.0).any())
    return refusal(path, ErrorCode::InvalidInput, "its scale is zero or not finite; write three numbers");
  const auto format = format_of(path);
  if (!format) return refusal(path, ErrorCode::InvalidInput, "is neither .stl, .obj nor .dae; convert it");
  if (*format == "stl") {
    if (Status whole = check_stl_length(path, bytes); !whole) return whole.error();
  }
  try {
    return import(path, bytes, *format, scale);
  } catch (const std::exception& thrown) {
    return refusal(path, ErrorCode::Damaged, fmt::format("cannot be understood ({})", thrown.what()));
  }
}

Result<TriangleMesh> read_mesh(const fs::path& path, const Vector3& scale, const RobotFiles& files) {
  // before its bytes are read for nothing
  if (!format_of(path)) return mesh_from_bytes(path, {}, scale);
  const auto bytes = read_shape_file("mesh", path, kMostMeshBytes, files);
  if (!bytes) return bytes.error();
  return mesh_from_bytes(path, *bytes, scale);
}

}  // namespace sinew
