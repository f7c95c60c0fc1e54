// ZooKeeper: a counter is a node whose data is the record, as text. A write applies the rules here,
// to the record as read just before, and is one `multi`.
//
//   /polyflake/orders/counter/invoices
//   /polyflake/orders/counter/invoices/M   exists for the nonces of the record: each write deletes it
//                                          and creates the next
//
// Versions start again after a delete, so a write requires the child of the record that it
// replaces, too. A record without it was made or half deleted by hand: it counts as edited.
// ZooKeeper confirms nothing that a majority of its servers lacks, so no failover loses numbers. It
// compares no write with a clock, so it cannot keep dates, and it does not reveal a restore: an
// operator sets the counter first.
#include <utility>

#include "count/dialect.hpp"
#include "count/record.hpp"
#include "lease/reply.hpp"
#include "lease/zookeeper.hpp"

namespace polyflake::count {
namespace {

namespace zookeeper = lease::zookeeper;
using zookeeper::znode_at;

class ZooKeeper final : public Dialect {
 public:
  explicit ZooKeeper(const Place& place)
      : base_("/polyflake/" + place.space), folder_(base_ + "/counter"), path_(folder_ + "/" + place.counter) {}

  Command begin_read() override { return {"get", {{base_}, {folder_}, {path_}}}; }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    see(reply);
    return contents_;
  }

  Command begin_names() override {
    has_space_ = false;
    return {"get", {{base_}}};
  }

  std::variant<Command, Names> names_replied(const Reply& reply) override {
    if (!has_space_) {
      if (!znode_at(reply, 0)) return Names{};
      has_space_ = true;
      return Command{"children", {{folder_}}};
    }
    if (reply.size() != 1) lease::misunderstood("it has another number of rows");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < reply.front().size(); ++i) names.push_back(lease::text_at(reply.front(), i));
    return Names(std::move(names));
  }

  Command begin(const Write& write) override {
    write_ = write;
    looked_ = false;
    return begin_read();
  }

  std::variant<Command, Answer> write_replied(const Reply& reply) override {
    if (std::exchange(looked_, true)) {
      if (!zookeeper::is_done(reply)) answer_.outcome = Outcome::conflict;
      return answer_;
    }
    see(reply);
    auto written = contents_.record;
    answer_ = step(written, write_, {contents_.space, contents_.incarnation, std::nullopt});
    const auto* const head = std::get_if<WriteHead>(&write_);
    const bool repairs = head != nullptr && head->record.term != head->term;  // an operator's word
    if (answer_.outcome == Outcome::ok && contents_.put_back && !repairs) answer_.outcome = Outcome::incarnation;
    if (answer_.outcome != Outcome::ok) return answer_;
    return Command{"multi", writes(*written)};
  }

 private:
  static std::string child_of(const Record& record) {
    return "/" + lease::to_text(record.head.nonce) + "-" + lease::to_text(record.nonce);
  }

  std::vector<std::vector<std::string>> writes(const Record& written) const {
    std::vector<std::vector<std::string>> all{{"check", base_, "-1"}};
    const std::string text = lease::print(record_fields(), fields_of(written));
    if (!has_folder_) all.push_back({"create", folder_, ""});
    if (contents_.record) {
      all.push_back({"set", path_, version_, text});
      if (!contents_.put_back) all.push_back({"delete", path_ + child_of(*contents_.record), "-1"});
    } else {
      all.push_back({"create", path_, text});
    }
    all.push_back({"create", path_ + child_of(written), ""});
    return all;
  }

  void see(const Reply& reply) {
    const auto space = znode_at(reply, 0), record = znode_at(reply, 2);
    has_folder_ = znode_at(reply, 1).has_value();
    contents_ = {};
    contents_.incarnation = zookeeper::kIncarnation;
    contents_.may_fail_over = false;
    contents_.space = lease::namespace_in(zookeeper::fields_in(lease::namespace_fields(), space));
    contents_.record = record_in(zookeeper::fields_in(record_fields(), record));
    contents_.put_back = record && !record->has_children;
    if (record) version_ = record->version;
  }

  const std::string base_, folder_, path_;
  Write write_;  // the present one
  bool looked_ = false;
  bool has_space_ = false;  // as found when the names were asked for
  Answer answer_;
  // From the last look.
  Contents contents_;
  bool has_folder_ = false;
  std::string version_;
};

}  // namespace

std::unique_ptr<Dialect> stores::zookeeper(const Place& place) { return std::make_unique<ZooKeeper>(place); }

}  // namespace polyflake::count
