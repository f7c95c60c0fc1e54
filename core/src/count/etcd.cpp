// etcd: a counter is a key whose value is the record, as text. A write applies the rules here, to
// the record as last read, and compares that text in its transaction.
//
//   polyflake/orders/counter/invoices
//
// etcd confirms nothing that a majority of its members lacks, so no failover loses numbers. It
// compares no write with a clock, so it cannot have dates. A restore from a snapshot keeps the
// cluster's id unless the cluster gets another token: an operator sets the counter first. A process
// that sees the cluster's revision fall stops at once.
#include <utility>

#include "count/dialect.hpp"
#include "count/record.hpp"
#include "lease/record.hpp"
#include "lease/reply.hpp"

namespace polyflake::count {
namespace {

using lease::text_at;
using Parts = std::vector<std::vector<std::string>>;

class Etcd final : public Dialect {
 public:
  explicit Etcd(const Place& place)
      : space_key_("polyflake/" + place.space + "/names"),
        folder_("polyflake/" + place.space + "/counter/"),
        counter_key_(folder_ + place.counter) {}

  Command begin_read() override { return {"txn", gets()}; }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    see(reply);
    return contents_;
  }

  Command begin_names() override { return {"txn", {{"get", space_key_}, {"keys", folder_, end_of_folder()}}}; }

  std::variant<Command, Names> names_replied(const Reply& reply) override {
    if (reply.size() != 3) lease::misunderstood("it has another number of rows");
    if (reply[1].empty()) return Names{};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < reply[2].size(); ++i) {
      const std::string& key = text_at(reply[2], i);
      if (key.rfind(folder_, 0) != 0) lease::misunderstood("it has other keys");
      names.push_back(key.substr(folder_.size()));
    }
    return Names(std::move(names));
  }

  Command begin(const Write& write) override {
    write_ = write;
    reads_left_ = kReads;
    return try_write().value_or(begin_read());
  }

  std::variant<Command, Answer> write_replied(const Reply& reply) override {
    const bool was_tried = std::exchange(tried_, false);
    see(reply);
    if (was_tried && text_at(reply.front(), 0) == "ok") return confirmed();
    // The record had changed, or was not known.
    if (reads_left_-- > 0) {
      if (auto more = try_write()) return std::move(*more);
      return answer_;
    }
    answer_.outcome = Outcome::conflict;
    return answer_;
  }

 private:
  static constexpr int kReads = 2;  // of the record as other clients left it

  // Returns the first key after all that begin with folder_.
  std::string end_of_folder() const { return folder_.substr(0, folder_.size() - 1) + static_cast<char>('/' + 1); }

  Parts gets() const { return {{"get", space_key_}, {"get", counter_key_}}; }

  // Applies the write to what was read last. Returns the command; nothing if the rules refuse it,
  // or nothing was read yet. Then answer_ tells the former.
  std::optional<Command> try_write() {
    auto written = contents_.record;
    answer_ = step(written, write_, {contents_.space, contents_.incarnation, std::nullopt});
    if (answer_.outcome != Outcome::ok) return std::nullopt;
    tried_ = true;
    expected_ = lease::print(record_fields(), fields_of(*written));
    Parts all{{"compare", space_key_, "create", space_created_}};
    if (contents_.record) {
      all.push_back({"compare", counter_key_, "value", text_});
    } else {
      all.push_back({"compare", counter_key_, "create", "0"});
    }
    all.push_back({"put", counter_key_, expected_});
    for (auto& get : gets()) all.push_back(std::move(get));
    return Command{"txn", std::move(all)};
  }

  Answer confirmed() {
    if (text_ != expected_) lease::misunderstood("it answers another request");
    // Another cluster accepted the request: the numbers would belong to an unknown reign.
    if (contents_.incarnation != conditions_of(write_).incarnation) answer_.outcome = Outcome::unknown;
    answer_.revision = contents_.revision;
    return answer_;
  }

  void see(const Reply& reply) {
    if (reply.size() != 3) lease::misunderstood("it has another number of rows");
    contents_ = {};
    contents_.incarnation = text_at(reply.front(), 1);
    contents_.revision = lease::ms_at(reply.front(), 2);
    contents_.may_fail_over = false;
    contents_.space = lease::namespace_in(fields_in(reply[1], lease::namespace_fields()));
    contents_.record = record_in(fields_in(reply[2], record_fields()));
    if (contents_.space) space_created_ = text_at(reply[1], 1);
    text_ = contents_.record ? text_at(reply[2], 0) : "";
  }

  static std::optional<lease::Fields> fields_in(const lease::Row& row, const FieldNames& names) {
    if (row.empty()) return std::nullopt;
    return lease::parse(names, text_at(row, 0)).value_or(lease::Fields{});
  }

  const std::string space_key_, folder_, counter_key_;
  Write write_;  // the present one
  bool tried_ = false;
  int reads_left_ = 0;
  std::string expected_;  // the text that it writes
  Answer answer_;
  // From the last reply.
  Contents contents_;
  std::string space_created_;  // its create_revision
  std::string text_;           // of the record
};

}  // namespace

std::unique_ptr<Dialect> stores::etcd(const Place& place) { return std::make_unique<Etcd>(place); }

}  // namespace polyflake::count
