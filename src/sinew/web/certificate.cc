// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/certificate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "sinew/web/listen_address.h"

namespace sinew::web {
namespace {

constexpr long kDaySeconds = 24L * 3600L;
// before its end it is made anew
constexpr long kLeastSeconds = 30 * kDaySeconds;

template <auto free_function>
struct Freed {
  template <class T>
  void operator()(T* thing) const {
    free_function(thing);
  }
};
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Bytes = std::unique_ptr<BIO, Freed<BIO_free>>;

Error cannot(const std::string& doing) {
  return {ErrorCode::SystemFailure, fmt::format("cannot {}: {}", doing, std::strerror(errno))};
}

Certificate certificate_in(const std::string& file) {
  const Bytes bytes(BIO_new_file(file.c_str(), "r"));
  return Certificate(bytes == nullptr ? nullptr : PEM_read_bio_X509(bytes.get(), nullptr, nullptr, nullptr));
}

Key key_in(const std::string& file) {
  const Bytes bytes(BIO_new_file(file.c_str(), "r"));
  // an empty password: nobody is there to be asked for one
  return Key(bytes == nullptr
                 ? nullptr
                 : PEM_read_bio_PrivateKey(bytes.get(), nullptr, nullptr, const_cast<char*>("")));
}

bool is_good(const TlsFiles& files) {
  const Certificate certificate = certificate_in(files.certificate);
  const Key key = key_in(files.key);
  if (certificate == nullptr || key == nullptr || X509_check_private_key(certificate.get(), key.get()) != 1)
    return false;
  time_t soon = time(nullptr) + kLeastSeconds;
  return X509_cmp_time(X509_get0_notAfter(certificate.get()), &soon) > 0;
}

// A name of a machine has no letter that means something in a list of names.
bool is_host_name(const std::string& name) {
  return !name.empty() && name.size() <= 63 && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
  });
}

std::string subject_names(const std::vector<std::string>& names) {
  std::string text = "DNS:localhost,IP:127.0.0.1,IP:::1";
  for (const std::string& name : names) {
    const bool is_any = name == "0.0.0.0" || name == "::";
    if (is_loopback(name) || name == "localhost" || is_any) continue;
    if (is_address(name))
      text += ",IP:" + name;
    else if (is_host_name(name))
      text += ",DNS:" + name;
  }
  return text;
}

bool add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  // 127 bits that nobody can guess, and positive
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) return false;
  bytes[0] &= 0x7FU;
  const std::unique_ptr<BIGNUM, Freed<BN_free>> number(BN_bin2bn(bytes.data(), bytes.size(), nullptr));
  return number != nullptr && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

Certificate made_certificate(EVP_PKEY* key, const std::vector<std::string>& names) {
  Certificate certificate(X509_new());
  X509* const raw = certificate.get();
  if (raw == nullptr || !set_serial(raw)) return nullptr;
  X509_set_version(raw, X509_VERSION_3);
  // clocks of tablets may be behind
  X509_gmtime_adj(X509_getm_notBefore(raw), -kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(raw), (kCertificateDays - 1) * kDaySeconds);
  X509_set_pubkey(raw, key);
  X509_NAME* const name = X509_get_subject_name(raw);
  const auto* const text = reinterpret_cast<const unsigned char*>("Sinew robot controller");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(raw, name);
  const bool is_whole = add_extension(raw, NID_subject_alt_name, subject_names(names)) &&
                        add_extension(raw, NID_basic_constraints, "critical,CA:FALSE") &&
                        add_extension(raw, NID_key_usage, "critical,digitalSignature") &&
                        add_extension(raw, NID_ext_key_usage, "serverAuth") &&
                        X509_sign(raw, key, EVP_sha256()) > 0;
  return is_whole ? std::move(certificate) : nullptr;
}

std::string text_in(BIO* bytes) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bytes, &text);
  return {text, static_cast<std::size_t>(size)};
}

// Whole or not at all.
Status write_file(const std::string& file, const std::string& text, mode_t mode) {
  const std::string draft = fmt::format("{}.{}", file, getpid());
  unlink(draft.c_str());
  const int descriptor = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) return cannot(fmt::format("write '{}'", draft));
  const bool is_written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                          fsync(descriptor) == 0;
  close(descriptor);
  if (is_written && rename(draft.c_str(), file.c_str()) == 0) return Done{};
  const Error error = cannot(fmt::format("write '{}'", file));
  unlink(draft.c_str());
  return error;
}

}  // namespace

Result<TlsFiles> own_certificate(const std::string& folder, const std::vector<std::string>& names) {
  TlsFiles files{folder + "/certificate.pem", folder + "/key.pem"};
  if (is_good(files)) return files;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Error{ErrorCode::SystemFailure, fmt::format("cannot make '{}': {}", folder, error.message())};
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = key == nullptr ? nullptr : made_certificate(key.get(), names);
  const Bytes key_text(BIO_new(BIO_s_mem()));
  const Bytes certificate_text(BIO_new(BIO_s_mem()));
  if (certificate == nullptr || key_text == nullptr || certificate_text == nullptr ||
      PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
      PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1)
    return Error{ErrorCode::SystemFailure, "OpenSSL cannot make a certificate"};
  if (Status written = write_file(files.key, text_in(key_text.get()), 0600); !written) return written.error();
  if (Status written = write_file(files.certificate, text_in(certificate_text.get()), 0644); !written)
    return written.error();
  return files;
}

Result<std::string> fingerprint_of(const std::string& certificate_file) {
  const Certificate certificate = certificate_in(certificate_file);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (certificate == nullptr || X509_digest(certificate.get(), EVP_sha256(), digest.data(), &size) != 1)
    return Error{ErrorCode::InvalidInput, fmt::format("'{}' is no certificate in PEM", certificate_file)};
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest.at(i));
  return text;
}

}  // namespace sinew::web
