// ZooKeeper: nodes of the tree whose data are records, written by `multi`.
//
//   /polyflake/orders            the namespace
//   /polyflake/orders/term/W     there is one, for the present term W: renewals check that it is there
//   /polyflake/orders/node/7
//   /polyflake/orders/node/7/N   there is one, for the nonce N of the record: each write deletes it and creates the next
//   /polyflake/orders/probe      written to learn the store's time
//
// Versions begin again after a delete, so the nonces in the data are looked at first, and a write needs the child of the
// record that it replaces. A record without a child was made or half deleted by hand: it counts as lost, and the next
// creation of the node id replaces it. Nothing tells a restore, so the incarnation is always the same: after a restore an
// operator raises the floor.
#include <algorithm>
#include <utility>

#include "lease/dialects.hpp"
#include "lease/reply.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kIncarnation = "-";

struct Znode {
  std::string data, version;
  std::int64_t mtime_ms = 0;
  bool has_children = false;
};

std::optional<Znode> znode_at(const Reply& reply, std::size_t i) {
  if (i >= reply.size()) misunderstood("a row is missing");
  if (reply[i].empty()) return std::nullopt;
  return Znode{text_at(reply[i], 0), text_at(reply[i], 1), ms_at(reply[i], 2), text_at(reply[i], 3) != "0"};
}

// What is there but is no record.
Fields strange() { return {""}; }

std::optional<Fields> fields_in(const std::vector<std::string>& names, const std::optional<Znode>& znode) {
  if (!znode) return std::nullopt;
  return parse(names, znode->data).value_or(strange());
}

std::optional<NodeRecord> record_in(const std::optional<Znode>& znode, std::uint64_t node,
                                    const std::optional<NamespaceRecord>& names) {
  const auto fields = fields_in(node_fields(), znode);
  const bool lost = znode && !znode->has_children && node_of(*fields);
  return lost && may_be_handed_out(node, names) ? std::nullopt : node_in(fields);
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
    contents.incarnation = kIncarnation;
    contents.names = namespace_in(fields_in(namespace_fields(), znode_at(reply, 0)));
    if (read_.nodes.empty()) {
      if (const auto probe = znode_at(reply, 1)) contents.store_ms = probe->mtime_ms;
      return contents;
    }
    for (std::size_t i = 0; i < read_.nodes.size(); ++i) {
      contents.nodes.push_back(record_in(znode_at(reply, i + 1), read_.nodes[i], contents.names));
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
    if (reply.empty()) misunderstood("it is empty");
    const std::string& word = text_at(reply.front(), 0);
    if (word != "ok" && word != "refused") misunderstood("neither done nor refused");
    return Answer{word == "ok" ? Outcome::ok : Outcome::conflict, cas_.echo, std::nullopt};
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
    const auto names = znode_at(reply, 0), node = cas_.node ? znode_at(reply, 1) : std::nullopt;
    Tables tables;
    tables.names = namespace_in(fields_in(namespace_fields(), names));
    if (cas_.node) {
      if (const auto record = record_in(node, *cas_.node, tables.names)) tables.nodes[*cas_.node] = *record;
    }
    const std::optional<Word> term = tables.names ? std::optional(tables.names->term) : std::nullopt;
    const Outcome outcome = tables.step(cas_, kIncarnation, std::nullopt);
    if (outcome != Outcome::ok) return Answer{outcome, cas_.echo, std::nullopt};
    return Command{"multi", write(names, node, term)};
  }

  std::vector<std::vector<std::string>> write(const std::optional<Znode>& names, const std::optional<Znode>& node,
                                              const std::optional<Word>& term) const {
    std::vector<std::vector<std::string>> all;
    if (term) all.push_back({"check", term_path(*term), "-1"});
    if (cas_.names) {
      const std::string text = print(namespace_fields(), fields_of(*cas_.names));
      if (names) {
        all.push_back({"set", base_, names->version, text});
      } else {
        all.push_back({"create", base_, text});
        for (const char* part : {"/term", "/node", "/probe"}) all.push_back({"create", base_ + part, ""});
      }
      if (term && *term != cas_.names->term) all.push_back({"delete", term_path(*term), "-1"});
      if (!term || *term != cas_.names->term) all.push_back({"create", term_path(cas_.names->term), ""});
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

std::unique_ptr<Dialect> make_zookeeper(const std::string& name) { return std::make_unique<ZooKeeper>(name); }

}  // namespace polyflake::lease
