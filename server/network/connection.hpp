// A connection: reads requests, gets their ids, sends the replies in the order of the requests.
//
// It reads only while no reply of its own waits, and holds no buffer while it is idle. So memory is
// bounded by the replies of one round, and a client that does not read harms only itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include "ids/queue.hpp"
#include "ids/service.hpp"
#include "network/protocol.hpp"
#include "network/run.hpp"
#include "network/transport.hpp"

namespace polyflake::server {

class Connections;
struct ListOfConnections;  // a tag

// Thread safety: that of the event loop. It keeps itself alive until it is closed, and its handlers
// after that.
class Connection final : public Caller,
                         public std::enable_shared_from_this<Connection>,
                         public boost::intrusive::list_base_hook<boost::intrusive::tag<ListOfConnections>> {
 public:
  Connection(Transport transport, std::unique_ptr<Protocol> protocol, Service& service, Connections& all);

  // Serves the client, or tells it that it is one too many and ends.
  void start(bool one_too_many);
  // Ends once the requests that have arrived have their replies.
  void finish();
  void close() noexcept;
  bool is_turned_away() const { return turned_away_; }
  // Called every few seconds. Closes it if its client does neither send the rest of a request nor
  // take a reply.
  void close_if_stuck();

  // As a caller of a queue:
  std::size_t wanted() const override { return run_.wanted(); }
  void take(const IdRange& ids) override;
  void refuse(const Refusal& refusal) override;
  void served() override;

 private:
  enum class Next { read, wait, send };

  // Bytes of replies, which are sent before more are made.
  static constexpr std::size_t kRound = 64 * 1024;

  template <class Step>
  void guarded(Step step) noexcept;
  template <class Step>
  void reply(Step step) noexcept;
  void wait_for_input();
  void on_input();
  void go_on(Next next);
  Next serve(std::string_view input, std::size_t& at);
  Next serve_rest();
  bool read_run(std::string_view input, std::size_t& at);
  bool ask(std::size_t behind);
  bool ask_after(std::uint64_t id);
  bool reserve(std::size_t bytes);
  bool send_some();
  bool send();
  void wait_for_room();
  void end();

  Transport transport_;
  const std::unique_ptr<Protocol> protocol_;
  Service& service_;
  Connections& all_;
  Metrics::Requests& counts_ = service_.metrics().requests_of(protocol_->name());
  Metrics::Clock::time_point arrived_{};  // the input, last
  Run run_;                               // an idle connection has none
  std::string rest_;                      // input that was not served yet
  std::size_t reserved_ = 0;
  std::unique_ptr<boost::asio::steady_timer> until_after_;
  std::shared_ptr<Connection> open_;  // this one, until it is closed
  bool waits_ = false;                // for ids
  bool writing_ = false;              // waits for the client to read
  bool turned_away_ = false;          // one too many
  bool last_ = false;                 // no request is read any more
  bool finishing_ = false;            // the same, once nothing has arrived
  bool ending_ = false;               // all was sent; waits for the client to close
  bool broken_ = false;               // a reply could not be written
  int stuck_ = 0;                     // calls of close_if_stuck() since it went on
};

// No exception leaves a handler: one connection ends, the others go on.
template <class Step>
void Connection::guarded(Step step) noexcept {
  try {
    step();
  } catch (const std::exception&) {
    close();
  }
}

}  // namespace polyflake::server
