// etcd: keys whose values are records, written by one transaction.
//
//   polyflake/orders/names
//   polyflake/orders/term       the term alone, as its value can be compared
//   polyflake/orders/node/7
//
// What is to be unchanged is compared by its mod_revision, which no two writes of a cluster share; those of records that were
// read or written are kept. The incarnation is the cluster's id, a hash of its token and the addresses of its members: a restore
// from a snapshot keeps it unless it is given another token, so an operator raises the floor then. A holder that sees the
// revision of the cluster fall stops at once. The date of the gateway's replies is the store's clock, to the second. The store
// refuses nothing by that clock, so the date is given with reads of the namespace alone.
#include <map>
#include <utility>

#include "lease/dialects.hpp"
#include "lease/reply.hpp"

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
    written_ = looks_right() && knows_revisions();
    return {"txn", written_ ? write() : gets()};
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    const Contents found = contents(reply);
    if (written_ && text_at(reply.front(), 0) == "ok") {
      if (!carries_request(found)) misunderstood("it answers another request");
      // Another cluster took it for its own: that is a window of no reign that is known.
      return answer(found.incarnation == cas_.incarnation ? Outcome::ok : Outcome::unknown, found);
    }
    Tables tables;
    tables.names = found.names;
    if (cas_.node && found.nodes.front()) tables.nodes[*cas_.node] = *found.nodes.front();
    Outcome outcome = tables.step(cas_, found.incarnation, std::nullopt);
    if (outcome == Outcome::ok && !written_) {
      written_ = true;
      return Command{"txn", write()};
    }
    if (outcome == Outcome::ok) outcome = Outcome::conflict;  // somebody else was first, and it has changed again
    return answer(outcome, found);
  }

 private:
  struct Revision {
    Word nonce;
    std::string created, modified;
  };

  Answer answer(Outcome outcome, const Contents& found) const {
    const bool moved_on = !cas_.makes_namespace && found.names && found.names->term != cas_.term;
    return {outcome, cas_.echo, std::nullopt, moved_on ? std::nullopt : found.revision};
  }

  std::string names_key() const { return prefix_ + "names"; }
  std::string term_key() const { return prefix_ + "term"; }
  std::string node_key(std::uint64_t node) const { return prefix_ + "node/" + std::to_string(node); }

  std::vector<std::vector<std::string>> gets() const {
    std::vector<std::vector<std::string>> all{{"get", names_key()}};
    for (const std::uint64_t node : nodes_) all.push_back({"get", node_key(node)});
    return all;
  }

  Contents contents(const Reply& reply) {
    if (reply.size() < nodes_.size() + 2) misunderstood("a row is missing");
    Contents contents;
    contents.incarnation = text_at(reply.front(), 1);
    contents.revision = ms_at(reply.front(), 2);
    revisions_.clear();
    contents.names = namespace_in(record(reply[1], namespace_fields()));
    names_ = contents.names;
    incarnation_ = contents.incarnation;
    if (contents.names) remember(names_key(), contents.names->nonce, reply[1]);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      contents.nodes.push_back(node_in(record(reply[i + 2], node_fields())));
      if (contents.nodes.back()) remember(node_key(nodes_[i]), contents.nodes.back()->nonce, reply[i + 2]);
    }
    return contents;
  }

  static std::optional<Fields> record(const Row& row, const std::vector<std::string>& names) {
    if (row.empty()) return std::nullopt;
    return parse(names, text_at(row, 0)).value_or(Fields{""});
  }

  void remember(const std::string& key, const Word& nonce, const Row& row) {
    revisions_[key] = {nonce, text_at(row, 1), text_at(row, 2)};
  }

  const Revision* revision(const std::string& key) const {
    const auto found = revisions_.find(key);
    return found == revisions_.end() ? nullptr : &found->second;
  }

  // What no comparison of a transaction says, by what was seen last: the revisions are those of what was seen.
  bool looks_right() const {
    if (cas_.incarnation != incarnation_) return false;
    return cas_.makes_namespace || (names_ && names_->uuid == cas_.uuid && names_->layout == cas_.layout);
  }

  bool knows_revisions() const {
    if (cas_.makes_namespace) return true;
    const Revision* const names = revision(names_key());
    if (names == nullptr || (cas_.names_nonce && names->nonce != *cas_.names_nonce)) return false;
    if (!cas_.node_nonce) return true;
    const Revision* const node = revision(node_key(*cas_.node));
    return node != nullptr && node->nonce == *cas_.node_nonce;
  }

  std::vector<std::vector<std::string>> write() const {
    std::vector<std::vector<std::string>> all;
    if (cas_.makes_namespace) {
      all.push_back({"compare", names_key(), "create", "0"});
    } else {
      all.push_back({"compare", names_key(), "create", revision(names_key())->created});
      all.push_back({"compare", term_key(), "value", to_text(cas_.term)});
    }
    if (cas_.names_nonce) all.push_back({"compare", names_key(), "mod", revision(names_key())->modified});
    if (cas_.node_nonce)
      all.push_back({"compare", node_key(*cas_.node), "mod", revision(node_key(*cas_.node))->modified});
    if (cas_.node && !cas_.node_nonce) all.push_back({"compare", node_key(*cas_.node), "create", "0"});
    if (cas_.names) {
      all.push_back({"put", names_key(), print(namespace_fields(), fields_of(*cas_.names))});
      all.push_back({"put", term_key(), to_text(cas_.names->term)});
    }
    if (cas_.node) all.push_back({"put", node_key(*cas_.node), print(node_fields(), fields_of(cas_.record))});
    for (auto& get : gets()) all.push_back(std::move(get));
    return all;
  }

  // What is read back in the same transaction carries the nonces of this request.
  bool carries_request(const Contents& found) const {
    const bool names = !cas_.names || (found.names && found.names->nonce == cas_.names->nonce);
    const bool node = !cas_.node || (found.nodes.front() && found.nodes.front()->nonce == cas_.record.nonce);
    return names && node;
  }

  const std::string prefix_;
  std::vector<std::uint64_t> nodes_;
  Cas cas_;
  bool written_ = false;
  // Of the last reply.
  std::map<std::string, Revision> revisions_;
  std::optional<NamespaceRecord> names_;
  std::string incarnation_;
};

}  // namespace

std::unique_ptr<Dialect> make_etcd(const std::string& name) { return std::make_unique<Etcd>(name); }

}  // namespace polyflake::lease
