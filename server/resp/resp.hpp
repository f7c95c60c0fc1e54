// RESP 2 and 3, the protocol of Redis: what any Redis client can send to get ids.
//
//   INCR key                              an id, as an integer
//   POLYFLAKE.NEXT key [n] [AFTER id]     ids as text, since some clients round integers
//   POLYFLAKE.DECODE id [layout]          the parts of an id
//   POLYFLAKE.INFO                        what is served
//   AUTH [name] secret                    the right of a token, for what follows
//
// and what clients send by themselves when they connect.
// Source: redis.io/docs/reference/protocol-spec.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "access/access.hpp"
#include "ids/service.hpp"
#include "network/protocol.hpp"

namespace polyflake::server {

class Resp final : public Protocol {
 public:
  // service, gate: must outlive it. gate: of the tokens that clients need; null: they need none.
  explicit Resp(const Service& service, Gate* gate = nullptr) : service_(service), gate_(gate) {}

  const char* name() const override { return "resp"; }
  Request read(std::string_view input) override;
  std::string_view answer(const Request& request, std::string& out) override;
  void give(const Request& request, const std::uint64_t* ids, std::string& out) override;
  void refuse(const Request& request, const Refusal& refusal, std::string& out) override;
  std::size_t bytes_per_id() const override;
  void refuse_connection(std::string& out) override;

 private:
  static constexpr std::size_t kMostWords = 16;
  enum Form : std::uint16_t { kInteger, kText, kTexts };

  // Reading: each returns false if the input ends too early, or fails_ was set.
  bool read_words(std::string_view input);
  bool read_line_of_words(std::string_view input);
  bool read_number(std::string_view input, char sign, std::int64_t& number);
  bool is_http();
  void fail(const char* reason);

  Request request_of_words();
  Request request_without_ids() const;
  Request request_for(Queue* queue, std::string_view key, std::size_t ids, Form form);
  Request next();
  Request refused(const Refusal& refusal);
  bool needs_token() const { return gate_ != nullptr && !right_.holds(); }
  bool may_inspect() const { return gate_ == nullptr || right_.may_inspect(); }
  static std::string no_permission(const std::string& token, const std::string& what);
  bool is(std::size_t word, std::string_view upper) const;

  // Takes the right of a token. Returns false, and says why, if it gets none.
  bool authenticate(std::string_view name, std::string_view secret, std::string& out);
  bool greet(std::size_t auth, std::string& out);

  // Answers to commands that want no id.
  void reply(std::string& out);
  void auth(std::string& out);
  void hello(std::string& out);
  void client(std::string& out) const;
  void config(std::string& out) const;
  void command(std::string& out) const;
  void decode(std::string& out);
  void info(std::string& out) const;
  void served_here(std::string& out) const;
  void begin_map(std::size_t pairs, std::string& out) const;
  void wrong_number_of_words(std::string& out) const;

  using Answer = void (*)(Resp& resp, std::string& out);
  struct Command;
  static const Command* find(std::string_view name);

  const Service& service_;
  Gate* const gate_;
  Right right_;  // of the last AUTH
  int version_ = 2;
  // The request that was read last:
  std::size_t at_ = 0;  // bytes
  std::array<std::string_view, kMostWords> words_;
  std::size_t count_ = 0;  // of words; 0: it asks for nothing
  const char* failure_ = nullptr;
  std::string refusal_;  // the reply, if it is refused
};

}  // namespace polyflake::server
