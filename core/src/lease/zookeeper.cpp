// ZooKeeper: nodes of the tree whose data are records, written by `multi`.
//
//   /polyflake/orders            the namespace
//   /polyflake/orders/term/W     exists for the present term W: renewals check that it does
//   /polyflake/orders/node/7
//   /polyflake/orders/node/7/N   exists for the nonce N of the record: each write deletes it and
//                                creates the next
//   /polyflake/orders/probe      written to learn the store's time
//
// Versions start again after a delete, so the nonces in the data are compared first, and a write
// requires the child of the record that it replaces. A record without a child was made or half
// deleted by hand: it counts as lost, and the next creation of the node id replaces it. ZooKeeper
// does not reveal a restore, so the incarnation is always the same: after a restore an operator
// raises the floor.
//
// Commands:
//
//   get           {path}...
//                 reply: {} if it is missing, else {data, version, mtime, number of children}
//   multi         {"check", path, version}, {"set", path, version, data},
//                 {"create", path, data}, {"delete", path, version}...: all of it or nothing
//                 reply: {"ok"} or {"refused"}
//   children      {path}...
//                 reply: the names of the children of each, {} if it is missing
//   ensure        {path}...: makes those that are missing; no reply
#include <algorithm>
#include <utility>

#include "lease/reply.hpp"
#include "lease/store_kinds.hpp"
#include "lease/zookeeper.hpp"

namespace polyflake::lease {
namespace zookeeper {

std::optional<Znode> znode_at(const Reply& reply, std::size_t i) {
  if (i >= reply.size()) misunderstood("a row is missing");
  if (reply[i].empty()) return std::nullopt;
  return Znode{text_at(reply[i], 0), text_at(reply[i], 1), ms_at(reply[i], 2), text_at(reply[i], 3) != "0"};
}

std::optional<Fields> fields_in(const FieldNames& table, const std::optional<Znode>& znode) {
  if (!znode) return std::nullopt;
  return parse(table, znode->data).value_or(Fields{""});
}

bool is_done(const Reply& reply) {
  if (reply.empty()) misunderstood("it is empty");
  const std::string& word = text_at(reply.front(), 0);
  if (word != "ok" && word != "refused") misunderstood("neither done nor refused");
  return word == "ok";
}

}  // namespace zookeeper

namespace {

using zookeeper::fields_in;
using zookeeper::Znode;
using zookeeper::znode_at;

std::optional<NodeRecord> record_in(const std::optional<Znode>& znode, std::uint64_t node,
                                    const std::optional<NamespaceRecord>& space) {
  const auto fields = fields_in(node_fields(), znode);
  const bool lost = znode && !znode->has_children && node_of(*fields);
  return lost && may_be_handed_out(node, space) ? std::nullopt : node_in(fields);
}

class ZooKeeper final : public Dialect {
 public:
  explicit ZooKeeper(const std::string& name) : base_("/polyflake/" + name) {}

  Command begin(const Read& read) override {
    read_ = read;
    probing_ = read.nodes.empty();
    return probing_ ? Command{"multi", {{"set", base_ + "/probe", "-1", ""}}} : get(read.nodes);
  }

  std::variant<Command, Contents> read_replied(const Reply& reply) override {
    if (std::exchange(probing_, false)) return Command{"get", {{base_}, {base_ + "/probe"}}};
    Contents contents;
    contents.incarnation = zookeeper::kIncarnation;
    contents.space = namespace_in(fields_in(namespace_fields(), znode_at(reply, 0)));
    if (read_.nodes.empty()) {
      if (const auto probe = znode_at(reply, 1)) contents.store_ms = probe->mtime_ms;
      return contents;
    }
    for (std::size_t i = 0; i < read_.nodes.size(); ++i) {
      contents.nodes.push_back(record_in(znode_at(reply, i + 1), read_.nodes[i], contents.space));
    }
    return contents;
  }

  Command begin(const Cas& cas) override {
    cas_ = cas;
    looked_ = false;
    return get(cas.node ? std::vector<std::uint64_t>{*cas.node} : std::vector<std::uint64_t>{});
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    if (!std::exchange(looked_, true)) return look(reply);
    return Answer{zookeeper::is_done(reply) ? Outcome::ok : Outcome::conflict, cas_.echo, std::nullopt};
  }

  std::vector<Command> preparation() const override { return {{"ensure", {{"/polyflake"}}}}; }

 private:
  std::string node_path(std::uint64_t node) const { return base_ + "/node/" + std::to_string(node); }
  static std::string child_path(const std::string& path, const Word& nonce) { return path + "/" + to_text(nonce); }
  std::string term_path(const Word& term) const { return base_ + "/term/" + to_text(term); }

  Command get(const std::vector<std::uint64_t>& nodes) const {
    Command command{"get", {{base_}}};
    for (const std::uint64_t node : nodes) command.parts.push_back({node_path(node)});
    return command;
  }

  std::variant<Command, Answer> look(const Reply& reply) const {
    const auto space = znode_at(reply, 0), node = cas_.node ? znode_at(reply, 1) : std::nullopt;
    Tables tables;
    tables.space = namespace_in(fields_in(namespace_fields(), space));
    if (cas_.node) {
      if (const auto record = record_in(node, *cas_.node, tables.space)) tables.nodes[*cas_.node] = *record;
    }
    const std::optional<Word> term = tables.space ? std::optional(tables.space->term) : std::nullopt;
    const Outcome outcome = tables.step(cas_, zookeeper::kIncarnation, std::nullopt);
    if (outcome != Outcome::ok) return Answer{outcome, cas_.echo, std::nullopt};
    return Command{"multi", write(space, node, term)};
  }

  std::vector<std::vector<std::string>> write(const std::optional<Znode>& space, const std::optional<Znode>& node,
                                              const std::optional<Word>& term) const {
    std::vector<std::vector<std::string>> all;
    if (term) all.push_back({"check", term_path(*term), "-1"});
    if (cas_.space) {
      const std::string text = print(namespace_fields(), fields_of(*cas_.space));
      if (space) {
        all.push_back({"set", base_, space->version, text});
      } else {
        all.push_back({"create", base_, text});
        for (const char* part : {"/term", "/node", "/probe"}) all.push_back({"create", base_ + part, ""});
      }
      if (term && *term != cas_.space->term) all.push_back({"delete", term_path(*term), "-1"});
      if (!term || *term != cas_.space->term) all.push_back({"create", term_path(cas_.space->term), ""});
    }
    if (!cas_.node) return all;
    const std::string path = node_path(*cas_.node), text = print(node_fields(), fields_of(cas_.record));
    if (node && cas_.node_nonce) {
      all.push_back({"set", path, node->version, text});
      all.push_back({"delete", child_path(path, *cas_.node_nonce), "-1"});
    } else {
      if (node) all.push_back({"delete", path, node->version});  // lost
      all.push_back({"create", path, text});
    }
    all.push_back({"create", child_path(path, cas_.record.nonce), ""});
    return all;
  }

  const std::string base_;
  Read read_;
  bool probing_ = false;
  Cas cas_;
  bool looked_ = false;
};

}  // namespace

constexpr StoreKind stores::zookeeper{
    "zookeeper", "zookeeper", false,
    [](const std::string& name, const std::string&, Placeholder) -> std::unique_ptr<Dialect> {
      return std::make_unique<ZooKeeper>(name);
    }};

}  // namespace polyflake::lease
