// SPDX-License-Identifier: BSD-3-Clause
// The server under TLS, asked by OpenSSL's own client; and the certificate that it makes for itself.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "sinew/web/certificate.h"
#include "sinew/web/server.h"
#include "sinew/web/test/client.h"

namespace sinew::web {
namespace {

class TlsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = "/tmp/sinew_tls_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (thread_.joinable()) {
      server_->stop();
      thread_.join();
    }
    std::filesystem::remove_all(folder_);
  }
  void begin(Server::Options options = {}) {
    const auto files = own_certificate(folder_, {});
    ASSERT_TRUE(files) << files.error().message;
    options.address = {.host = "127.0.0.1", .port = 0};
    options.tls = *files;
    server_ = std::make_unique<Server>(options, [](const HttpRequest& request, const Server::Answer& answer) {
      answer({.body = std::string(request.is_secure ? "secure " : "open ") + request.target});
    });
    server_->on_sockets({.may_open = [](const HttpRequest&) { return SocketVerdict{}; },
                         .opened = [](SocketNumber, const HttpRequest&) {},
                         .message = [this](SocketNumber number,
                                           const SocketMessage& message) { server_->send(number, message); },
                         .closed = [](SocketNumber) {}});
    const Status listening = server_->listen();
    ASSERT_TRUE(listening) << listening.error().message;
    port_ = server_->address().port;
    thread_ = std::thread([this] { server_->run(); });
  }

  std::string folder_;
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

/// A client of TLS that trusts one certificate and wants it to be good for `host`.
class TlsClient {
 public:
  TlsClient(std::uint16_t port, const std::string& trusted, const std::string& host,
            int version = TLS1_3_VERSION)
      : tcp_(port), context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
    SSL_CTX_set_max_proto_version(context_.get(), version);
    if (version < TLS1_2_VERSION) SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_load_verify_file(context_.get(), trusted.c_str());
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    ssl_.reset(SSL_new(context_.get()));
    const bool is_address = host.find_first_not_of("0123456789.:") == std::string::npos;
    if (is_address)
      X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
    else
      SSL_set1_host(ssl_.get(), host.c_str());
    SSL_set_fd(ssl_.get(), tcp_.descriptor());
    is_connected_ = SSL_connect(ssl_.get()) == 1;
  }
  bool is_connected() const { return is_connected_; }
  int version() const { return SSL_version(ssl_.get()); }
  void send(const std::string& bytes) { SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())); }
  std::string receive(const std::string& end) {
    std::string all;
    std::array<char, 4096> part{};
    while (end.empty() || all.find(end) == std::string::npos) {
      const int size = SSL_read(ssl_.get(), part.data(), part.size());
      if (size <= 0) break;
      all.append(part.data(), static_cast<std::size_t>(size));
    }
    return all;
  }
  /// Whether the server has said that nothing more comes, which a cut connection does not say.
  bool is_ended_in_order() const { return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }

 private:
  Client tcp_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_{nullptr, SSL_free};
  bool is_connected_ = false;
};

TEST_F(TlsTest, ServesPagesAndSocketsToWhoTrustsItsCertificate) {
  begin();
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    TlsClient client(port_, folder_ + "/certificate.pem", host);
    ASSERT_TRUE(client.is_connected()) << host;
    EXPECT_EQ(client.version(), TLS1_3_VERSION);
    client.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(client.receive("").ends_with("secure /x"));
    EXPECT_TRUE(client.is_ended_in_order());
  }
  TlsClient socket(port_, folder_ + "/certificate.pem", "localhost", TLS1_2_VERSION);
  ASSERT_TRUE(socket.is_connected());
  socket.send(
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
      "13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  EXPECT_TRUE(socket.receive("\r\n\r\n").starts_with("HTTP/1.1 101 "));
  const std::string many(50000, 'x');
  socket.send(ClientFrame{.payload = many + "end"}.bytes());
  EXPECT_TRUE(socket.receive("end").ends_with(many + "end"));
}

TEST_F(TlsTest, IsNotTakenForAnotherMachineAndSpeaksNoOldVersion) {
  begin();
  EXPECT_FALSE(TlsClient(port_, folder_ + "/certificate.pem", "example.org").is_connected());
  EXPECT_FALSE(TlsClient(port_, folder_ + "/certificate.pem", "10.0.0.1").is_connected());
  EXPECT_FALSE(TlsClient(port_, folder_ + "/certificate.pem", "localhost", TLS1_1_VERSION).is_connected());
  EXPECT_TRUE(TlsClient(port_, folder_ + "/certificate.pem", "localhost", TLS1_2_VERSION).is_connected());
}

TEST_F(TlsTest, WhoSpeaksPlainlyIsToldHowToAsk) {
  begin();
  Client plain(port_);
  plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string answer = plain.receive();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 Bad Request\r\n")) << answer;
  const std::size_t body = answer.find("\r\n\r\n") + 4;
  EXPECT_NE(answer.find("https://", body), std::string::npos);
  EXPECT_NE(answer.find("Content-Length: " + std::to_string(answer.size() - body) + "\r\n"),
            std::string::npos)
      << answer;
  TlsClient client(port_, folder_ + "/certificate.pem", "localhost");
  EXPECT_TRUE(client.is_connected());
}

TEST_F(TlsTest, WhoNeverFinishesTheHandshakeIsNotWaitedFor) {
  begin({.request_within_ns = 100 * kMillisecond_ns});
  Client silent(port_);
  EXPECT_TRUE(silent.is_closed());
  Client half(port_);
  half.send(std::string("\x16\x03\x01\x02\x00\x01", 6));
  EXPECT_EQ(half.receive().find("HTTP"), std::string::npos);
  Client rubbish(port_);
  rubbish.send("\x16" + std::string(3000, 'x'));
  EXPECT_EQ(rubbish.receive().find("HTTP"), std::string::npos);
}

TEST_F(TlsTest, TheCertificateIsKeptAndItsKeyIsPrivate) {
  const auto files = own_certificate(folder_ + "/new/folder", {"robot-7", "192.168.7.1", "bad,DNS:name", ""});
  ASSERT_TRUE(files) << files.error().message;
  struct stat found {};
  ASSERT_EQ(stat(files->key.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  const auto fingerprint = fingerprint_of(files->certificate);
  ASSERT_TRUE(fingerprint);
  EXPECT_EQ(fingerprint->size(), 32U * 3 - 1);
  // asked again, it is the same; for another folder it is another
  ASSERT_TRUE(own_certificate(folder_ + "/new/folder", {}));
  EXPECT_EQ(*fingerprint_of(files->certificate), *fingerprint);
  ASSERT_TRUE(own_certificate(folder_, {}));
  EXPECT_NE(*fingerprint_of(folder_ + "/certificate.pem"), *fingerprint);
  // nothing is left lying about
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ + "/new/folder"), {}), 2);
}

TEST_F(TlsTest, WhatIsDamagedOrDoesNotBelongTogetherIsMadeAnew) {
  const auto first = own_certificate(folder_, {});
  const auto other = own_certificate(folder_ + "/other", {});
  ASSERT_TRUE(first && other);
  std::filesystem::copy_file(other->key, first->key, std::filesystem::copy_options::overwrite_existing);
  const std::string before = *fingerprint_of(first->certificate);
  ASSERT_TRUE(own_certificate(folder_, {}));
  const std::string after = *fingerprint_of(first->certificate);
  EXPECT_NE(before, after);
  std::ofstream(first->certificate) << "rubbish";
  ASSERT_TRUE(own_certificate(folder_, {}));
  EXPECT_NE(*fingerprint_of(first->certificate), after);
}

TEST_F(TlsTest, RefusesFilesThatAreNoCertificateAndSaysWhich) {
  std::ofstream(folder_ + "/rubbish.pem") << "rubbish";
  Server server({.address = {.port = 0}, .tls = TlsFiles{folder_ + "/rubbish.pem", folder_ + "/rubbish.pem"}},
                [](const auto&, const auto&) {});
  const Status refused = server.listen();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("cannot use '" + folder_ + "/rubbish.pem' for TLS: "))
      << refused.error().message;
  EXPECT_FALSE(fingerprint_of(folder_ + "/rubbish.pem"));
  EXPECT_FALSE(own_certificate("/proc/nowhere", {}));
}

}  // namespace
}  // namespace sinew::web
