// Thrift: the service of Twitter's Snowflake of 2010, in the strict binary protocol, framed or not.
//
//   i64 get_worker_id()        the field `worker` of the generator's node id
//   i64 get_datacenter_id()    its field `datacenter`; refused if the layout has no such field
//   i64 get_timestamp()        Unix ms
//   i64 get_id(1: string useragent)
//   list<i64> get_ids(1: string useragent, 2: i32 n)    ours; n is 1 to max_batch
//
// The published IDL declares no exception for any method, so each error is a TApplicationException.
// Bytes of another protocol end the connection, since the next message cannot be found. Replies
// keep the order of the calls. Oneway calls are read, and get no id and no reply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/clock.hpp>

#include "network/protocol.hpp"

namespace polyflake::server {

namespace thrift {
class Reader;
struct Arguments;
}  // namespace thrift

class Thrift final : public Protocol {
 public:
  // Serves this queue's generator. now_ms: what get_timestamp answers.
  using NowMs = std::int64_t (*)();
  Thrift(const Service& service, Queue& queue, NowMs now_ms = SystemClock::read_ms);

  const char* name() const override { return "thrift"; }
  // Never asks for more input once it has 64 KiB: a longer message is refused.
  Request read(std::string_view input) override;
  std::string_view answer(const Request& request, std::string& out) override;
  void give(const Request& request, const std::uint64_t* ids, std::string& out) override;
  void refuse(const Request& request, const Refusal& refusal, std::string& out) override;
  std::size_t bytes_per_id() const override;
  // Speaks framed, as Twitter's clients do: the client has not said yet what it speaks.
  void refuse_connection(std::string& out) override;

 private:
  Request read_message(thrift::Reader reader, std::uint16_t form);
  void read_call(Request& request, std::string_view method, const thrift::Arguments& arguments);
  Request misread(Request request, std::string_view method, const std::string& what);
  void fault(Request& request, std::string_view method, std::int32_t type, std::string message,
             std::string_view code = "bad_request");
  std::string_view answer_field(const Request& request, std::string_view field, std::string& out);

  const Service& service_;
  Queue& queue_;
  const NowMs now_ms_;
  // The reply to the request that was read last, if that is an error.
  struct Fault {
    std::string method;
    std::int32_t type;
    std::string message;
    std::string code;
  } fault_{};
};

}  // namespace polyflake::server
