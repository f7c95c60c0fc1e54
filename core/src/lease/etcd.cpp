// etcd: keys whose values are records, written by one transaction.
//
//   polyflake/orders/names
//   polyflake/orders/term       the term alone, as its value can be compared
//   polyflake/orders/node/7
//
// Records that must be unchanged are compared by their text, which has the nonce of its write; the
// texts of records read or written are kept. A mod_revision would not do: two clusters that were
// restored from one snapshot count on from the same revision. The incarnation is the cluster's id, a
// hash of its token and its members' addresses. A restore from a snapshot keeps it unless the
// cluster gets another token, so an operator raises the floor then. A holder that sees the
// cluster's revision fall stops at once. The date of the gateway's replies is the store's clock, to
// the second. The store refuses nothing by that clock, so the date is only given with reads of the
// namespace alone.
//
// Commands:
//
//   txn           {"compare", key, "create" | "value", operand}..., then if all of them hold
//                 {"put", key, value}..., and in any case {"get", key}...,
//                 {"keys", first, end}...
//                 reply: {"ok" | "refused", cluster_id, revision, Unix ms of the server's second,
//                 or nothing if it does not tell}, then for each get {} or
//                 {value, create_revision}, and for each keys those from the first to before
//                 the end
#include <map>
#include <utility>

#include "lease/reply.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
namespace {

class Etcd final : public Dialect {
 public:
  explicit Etcd(const std::string& name) : prefix_("polyflake/" + name + "/") {}

  Command begin(const Read& read) override {
    nodes_ = read.nodes;
    return {"txn", gets()};
  }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    Contents found = contents(reply);
    const Row& header = reply.front();
    if (nodes_.empty() && header.size() > 3 && header[3]) {
      found.store_ms = ms_at(header, 3);
      found.store_span_ms = 999;
    }
    return found;
  }

  Command begin(const Cas& cas) override {
    cas_ = cas;
    nodes_.clear();
    if (cas.node) nodes_.push_back(*cas.node);
    written_ = looks_right() && knows_records();
    return {"txn", written_ ? write() : gets()};
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    const Contents found = contents(reply);
    if (written_ && text_at(reply.front(), 0) == "ok") {
      if (!carries_request(found)) misunderstood("it answers another request");
      // Another cluster accepted the request: the window would belong to an unknown reign.
      return answer(found.incarnation == cas_.incarnation ? Outcome::ok : Outcome::unknown, found);
    }
    Tables tables;
    tables.space = found.space;
    if (cas_.node && found.nodes.front()) tables.nodes[*cas_.node] = *found.nodes.front();
    Outcome outcome = tables.step(cas_, found.incarnation, std::nullopt);
    if (outcome == Outcome::ok && !written_) {
      written_ = true;
      return Command{"txn", write()};
    }
    // Another client was first, and the record has changed again.
    if (outcome == Outcome::ok) outcome = Outcome::conflict;
    return answer(outcome, found);
  }

 private:
  struct Known {
    Word nonce;
    std::string text, created;  // the record's value, and its create_revision
  };

  Answer answer(Outcome outcome, const Contents& found) const {
    const bool moved_on = !cas_.makes_namespace && found.space && found.space->term != cas_.term;
    return {outcome, cas_.echo, std::nullopt, moved_on ? std::nullopt : found.revision};
  }

  std::string space_key() const { return prefix_ + "names"; }
  std::string term_key() const { return prefix_ + "term"; }
  std::string node_key(std::uint64_t node) const { return prefix_ + "node/" + std::to_string(node); }

  std::vector<std::vector<std::string>> gets() const {
    std::vector<std::vector<std::string>> all{{"get", space_key()}};
    for (const std::uint64_t node : nodes_) all.push_back({"get", node_key(node)});
    return all;
  }

  Contents contents(const Reply& reply) {
    if (reply.size() < nodes_.size() + 2) misunderstood("a row is missing");
    Contents contents;
    contents.incarnation = text_at(reply.front(), 1);
    contents.revision = ms_at(reply.front(), 2);
    known_.clear();
    contents.space = namespace_in(record(reply[1], namespace_fields()));
    space_ = contents.space;
    incarnation_ = contents.incarnation;
    if (contents.space) remember(space_key(), contents.space->nonce, reply[1]);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      contents.nodes.push_back(node_in(record(reply[i + 2], node_fields())));
      if (contents.nodes.back()) remember(node_key(nodes_[i]), contents.nodes.back()->nonce, reply[i + 2]);
    }
    return contents;
  }

  static std::optional<Fields> record(const Row& row, const FieldNames& table) {
    if (row.empty()) return std::nullopt;
    return parse(table, text_at(row, 0)).value_or(Fields{""});
  }

  void remember(const std::string& key, const Word& nonce, const Row& row) {
    known_[key] = {nonce, text_at(row, 0), text_at(row, 1)};
  }

  const Known* known(const std::string& key) const {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }

  // Makes the checks that no comparison of a transaction makes, on the records seen last, which are
  // the ones compared.
  bool looks_right() const {
    if (cas_.incarnation != incarnation_) return false;
    return cas_.makes_namespace || (space_ && space_->uuid == cas_.uuid && space_->layout == cas_.layout);
  }

  bool knows_records() const {
    if (cas_.makes_namespace) return true;
    const Known* const space = known(space_key());
    if (space == nullptr || (cas_.space_nonce && space->nonce != *cas_.space_nonce)) return false;
    if (!cas_.node_nonce) return true;
    const Known* const node = known(node_key(*cas_.node));
    return node != nullptr && node->nonce == *cas_.node_nonce;
  }

  std::vector<std::vector<std::string>> write() const {
    std::vector<std::vector<std::string>> all;
    if (cas_.makes_namespace) {
      all.push_back({"compare", space_key(), "create", "0"});
    } else {
      all.push_back({"compare", space_key(), "create", known(space_key())->created});
      all.push_back({"compare", term_key(), "value", to_text(cas_.term)});
    }
    if (cas_.space_nonce) all.push_back({"compare", space_key(), "value", known(space_key())->text});
    if (cas_.node_nonce) {
      all.push_back({"compare", node_key(*cas_.node), "value", known(node_key(*cas_.node))->text});
    }
    if (cas_.node && !cas_.node_nonce) all.push_back({"compare", node_key(*cas_.node), "create", "0"});
    if (cas_.space) {
      all.push_back({"put", space_key(), print(namespace_fields(), fields_of(*cas_.space))});
      all.push_back({"put", term_key(), to_text(cas_.space->term)});
    }
    if (cas_.node) all.push_back({"put", node_key(*cas_.node), print(node_fields(), fields_of(cas_.record))});
    for (auto& get : gets()) all.push_back(std::move(get));
    return all;
  }

  // Returns true if the records read back in the same transaction carry the nonces of this request.
  bool carries_request(const Contents& found) const {
    const bool space = !cas_.space || (found.space && found.space->nonce == cas_.space->nonce);
    const bool node = !cas_.node || (found.nodes.front() && found.nodes.front()->nonce == cas_.record.nonce);
    return space && node;
  }

  const std::string prefix_;
  std::vector<std::uint64_t> nodes_;
  Cas cas_;
  bool written_ = false;
  // From the last reply.
  std::map<std::string, Known> known_;
  std::optional<NamespaceRecord> space_;
  std::string incarnation_;
};

}  // namespace

constexpr StoreKind stores::etcd{"etcd", "etcd etcds", false,
                                 [](const std::string& name, const std::string&,
                                    Placeholder) -> std::unique_ptr<Dialect> { return std::make_unique<Etcd>(name); }};

}  // namespace polyflake::lease
