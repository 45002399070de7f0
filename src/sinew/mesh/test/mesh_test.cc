// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/mesh/mesh_remarks.h"
#include "sinew/mesh/polygon.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

// A tetrahedron with legs of length one.
constexpr std::array<std::array<int, 3>, 4> kFaces{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
constexpr std::array<std::array<float, 3>, 4> kCorners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

std::string binary_stl(std::size_t faces = 4) {
  std::string bytes(80, '\0');
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const auto count = static_cast<std::uint32_t>(faces);
  append(&count, 4);
  for (std::size_t f = 0; f < faces; ++f) {
    const std::array<float, 3> normal{};
    append(normal.data(), 12);
    for (const int corner : kFaces[f]) append(kCorners[static_cast<std::size_t>(corner)].data(), 12);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string text_stl() {
  std::string text = "solid thing\n";
  for (const auto& face : kFaces) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face) {
      const auto& c = kCorners[static_cast<std::size_t>(corner)];
      text +=
          "vertex " + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid thing\n";
}

constexpr const char* kObj =
    "mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// in centimetres, y up
constexpr const char* kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y"
type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

class MeshTest : public testing::Test {
 protected:
  MeshTest() : folder_(std::filesystem::temp_directory_path() / ("sinew-mesh-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~MeshTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  std::string why_not(const std::string& name, const std::string& bytes) {
    const auto mesh = read_mesh(write(name, bytes));
    EXPECT_FALSE(mesh);
    return mesh ? "" : mesh.error().message;
  }

  std::filesystem::path folder_;
};

// every format gives the same four vertices, four triangles and closed surface
TEST_F(MeshTest, ReadsEveryFormatAlike) {
  for (const auto& path : {write("b.stl", binary_stl()), write("t.STL", text_stl()), write("o.obj", kObj),
                           write("d.dae", kDae)}) {
    const auto mesh = read_mesh(path);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertices.size(), 4U) << path;
    EXPECT_EQ(mesh->triangles.size(), 4U) << path;
    const MeshFacts facts = facts_of(*mesh);
    EXPECT_EQ(facts.open_edges, 0U) << path;
    EXPECT_LT((facts.highest - Vector3::Ones()).norm(), 1e-6) << path << ' ' << facts.highest.transpose();
    EXPECT_LT(facts.lowest.norm(), 1e-6) << path;
  }
}

// the volume by the divergence theorem is positive when the triangles wind the right way
double volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6.0;
  return sum;
}

TEST_F(MeshTest, ScalesAndMirrorsWithoutTurningInsideOut) {
  const auto path = write("b.stl", binary_stl());
  const auto scaled = read_mesh(path, {0.001, 0.002, 0.003});
  ASSERT_TRUE(scaled);
  EXPECT_NEAR(volume(*scaled), 1e-9, 1e-15);
  const auto mirrored = read_mesh(path, {-1.0, 1.0, 1.0});
  ASSERT_TRUE(mirrored);
  EXPECT_NEAR(volume(*mirrored), 1.0 / 6.0, 1e-9);
}

TEST_F(MeshTest, CountsOpenEdges) {
  const auto mesh = read_mesh(write("open.stl", binary_stl(3)));
  ASSERT_TRUE(mesh);
  EXPECT_EQ(facts_of(*mesh).open_edges, 3U);
}

TEST_F(MeshTest, RefusesEachKindOfBadFileWithItsReason) {
  EXPECT_NE(why_not("cut.stl", binary_stl().substr(0, 150)).find("promises 4 triangles"), std::string::npos);
  EXPECT_NE(why_not("short.stl", "xyz").find("promises 0 triangles"), std::string::npos);
  EXPECT_NE(why_not("none.stl", binary_stl(0)).find("mesh "), std::string::npos);
  EXPECT_NE(why_not("a.ply", "ply").find("neither .stl, .obj nor .dae"), std::string::npos);
  EXPECT_NE(why_not("empty.obj", "").find("mesh "), std::string::npos);
  EXPECT_NE(why_not("empty.dae", "").find("mesh "), std::string::npos);
  EXPECT_NE(why_not("bad.dae", "<COLLADA>").find("export it again"), std::string::npos);
  std::string not_finite = binary_stl();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&not_finite[84 + 12], &nan, 4);
  EXPECT_NE(why_not("nan.stl", not_finite).find("not a finite number"), std::string::npos);
  EXPECT_NE(read_mesh(folder_ / "missing.stl").error().message.find("there is no such file"),
            std::string::npos);
  EXPECT_FALSE(read_mesh(folder_));
  EXPECT_FALSE(read_mesh(write("b.stl", binary_stl()), Vector3::Zero()));
}

// bytes changed, cut and repeated at random: read or refused, never a crash or a number that is not finite
TEST_F(MeshTest, SurvivesDamage) {
  std::mt19937 random(3);
  const std::array<std::pair<const char*, std::string>, 4> files{
      {{"m.stl", binary_stl()}, {"m2.stl", text_stl()}, {"m.obj", kObj}, {"m.dae", kDae}}};
  for (int i = 0; i < 800; ++i) {
    auto [name, bytes] = files[static_cast<std::size_t>(i) % files.size()];
    for (int changes = 0; changes < 1 + i % 8; ++changes)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    if (i % 5 == 0) bytes.resize(random() % bytes.size());
    const auto mesh = read_mesh(write(name, bytes));
    if (!mesh) continue;
    for (const Vector3& vertex : mesh->vertices) ASSERT_TRUE(vertex.allFinite());
    for (const auto& triangle : mesh->triangles) {
      for (const std::uint32_t corner : triangle) ASSERT_LT(corner, mesh->vertices.size());
    }
  }
}

TEST_F(MeshTest, TellsWhatIsOddAboutARobotsMeshes) {
  write("open.stl", binary_stl(3));
  write("good.stl", binary_stl());
  write("broken.stl", "broken");
  const std::string urdf = R"(<robot name="r"><link name="a">
    <visual><geometry><mesh filename="good.stl"/></geometry></visual>
    <visual><geometry><mesh filename="good.stl" scale="1000 1000 1000"/></geometry></visual>
    <visual><geometry><mesh filename="good.stl" scale="1e-6 1e-6 1e-6"/></geometry></visual>
    <visual><geometry><mesh filename="broken.stl"/></geometry></visual>
    <visual><geometry><mesh filename="open.stl"/></geometry></visual>
    <collision><geometry><mesh filename="broken.stl"/></geometry></collision>
    <collision><geometry><mesh filename="open.stl"/></geometry></collision></link></robot>)";
  const auto read = read_urdf(write("r.urdf", urdf));
  ASSERT_TRUE(read) << read.error().message;
  const std::vector<Remark> remarks = remarks_on_meshes(read->model, "r.urdf");
  ASSERT_EQ(remarks.size(), 4U);
  EXPECT_EQ(remark_text(remarks[0]),
            "r.urdf: mesh 'good.stl' of link 'a' is 1000.000 m long; is it in millimetres? then write "
            "scale=\"0.001 0.001 0.001\"");
  EXPECT_NE(remark_text(remarks[1]).find("is only 0.0 mm long; check its scale"), std::string::npos)
      << remark_text(remarks[1]);
  EXPECT_NE(remark_text(remarks[2]).find("broken.stl: its header promises 0 triangles"), std::string::npos)
      << remark_text(remarks[2]);
  EXPECT_NE(remark_text(remarks[3]).find("'open.stl' of link 'a' is not closed: 3 open edges"),
            std::string::npos)
      << remark_text(remarks[3]);
}

// A face of so many corners; `deep`: how far every second one lies inside, of the radius.
std::string round_obj(int corners, double deep = 0.0) {
  std::string text;
  std::string face = "f";
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / corners;
    const double radius = i % 2 == 0 ? 1.0 : 1.0 - deep;
    text += fmt::format("v {:.9f} {:.9f} 0\n", radius * std::cos(angle), radius * std::sin(angle));
    face += fmt::format(" {}", i + 1);
  }
  return text + face + "\n";
}

double area_of(const TriangleMesh& mesh) {
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles)
    area += 0.5 * (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).z();
  return area;
}

TEST_F(MeshTest, PolygonsAreCutIntoTrianglesThatCoverThem) {
  const auto round = mesh_from_bytes("round.obj", round_obj(720));
  ASSERT_TRUE(round) << round.error().message;
  EXPECT_EQ(round->triangles.size(), 718U);
  EXPECT_NEAR(area_of(*round), std::numbers::pi, 1e-3);
  for (const double deep : {0.2, 0.7}) {
    const auto star = mesh_from_bytes("star.obj", round_obj(200, deep));
    ASSERT_TRUE(star) << star.error().message;
    EXPECT_EQ(star->triangles.size(), 198U);
    EXPECT_NEAR(area_of(*star), 100.0 * (1.0 - deep) * std::sin(2.0 * std::numbers::pi / 200.0), 1e-6);
  }
}

// what took 18 s and, with ten times as many corners, a minute: what it costs now is counted, not measured
TEST_F(MeshTest, APolygonOfManyCornersIsCutOrRefusedWithItsPlace) {
  const auto round = mesh_from_bytes("round.obj", round_obj(100'000));
  ASSERT_TRUE(round) << round.error().message;
  EXPECT_EQ(round->triangles.size(), 99'998U);
  const auto star = mesh_from_bytes("star.obj", "v 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\n" + round_obj(3));
  ASSERT_TRUE(star);
  const auto large = mesh_from_bytes("large.obj", round_obj(100'000, 0.5));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::OutOfLimits);
  EXPECT_NE(large.error().message.find("face 1 of"), std::string::npos) << large.error().message;
  EXPECT_NE(large.error().message.find("has 100000 corners"), std::string::npos) << large.error().message;
}

TEST_F(MeshTest, CoordinatesWithoutSenseAreRefusedWithTheirPlace) {
  const auto mesh = mesh_from_bytes("far.obj", "v 0 0 0\nv 1 0 0\nv 0 3e38 0\nf 1 2 3\n");
  ASSERT_FALSE(mesh);
  EXPECT_EQ(mesh.error().code, ErrorCode::OutOfLimits);
  EXPECT_NE(mesh.error().message.find("corner 3 of"), std::string::npos) << mesh.error().message;
  EXPECT_NE(mesh.error().message.find("farther than 1e+06 m"), std::string::npos) << mesh.error().message;
  EXPECT_TRUE(mesh_from_bytes("far.obj", "v 0 0 0\nv 1 0 0\nv 0 9e5 0\nf 1 2 3\n"));
}

TEST(PolygonCutter, AnyCornersAreCutOrRefusedWithinItsWork) {
  std::mt19937_64 random(18);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Vector3> corners(3 + random() % 30);
    for (Vector3& corner : corners) corner = {any(random), any(random), round % 3 == 0 ? any(random) : 0.0};
    if (round % 5 == 0) corners.back() = corners.front();
    std::vector<std::array<std::uint32_t, 3>> triangles;
    PolygonCutter cutter(round % 7 == 0 ? random() % 100 : PolygonCutter::kMostLooks);
    if (cutter.cut(corners, triangles)) {
      EXPECT_EQ(triangles.size(), corners.size() - 2);
    }
    for (const auto& triangle : triangles)
      for (const std::uint32_t corner : triangle) ASSERT_LT(corner, corners.size());
  }
}

}  // namespace
}  // namespace sinew
