// Records in ZooKeeper, and writes that arrive late there: over a tree of nodes in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lease/dialect.hpp"
#include "lease/record.hpp"

namespace polyflake::lease {
namespace {

using Parts = std::vector<std::vector<std::string>>;

const std::string kNode = "/polyflake/orders/node/0";

// As much of ZooKeeper as a lease uses.
class Tree {
 public:
  Reply carry(const Command& command) {
    if (command.name == "multi") return {{multi(command.parts) ? "ok" : "refused"}};
    Reply reply;
    for (const auto& part : command.parts) reply.push_back(get(part[0]));
    return reply;
  }

  // As deleteall does by hand.
  void remove(const std::string& path) {
    for (const std::string& child : children(path)) remove(child);
    znodes_.erase(path);
  }

  std::vector<std::string> children(const std::string& path) const {
    std::vector<std::string> found;
    for (const auto& znode : znodes_) {
      if (parent(znode.first) == path) found.push_back(znode.first);
    }
    return found;
  }

  std::int64_t version(const std::string& path) const { return znodes_.at(path).version; }

 private:
  struct Znode {
    std::string data;
    std::int64_t version = 0;
  };

  static std::string parent(const std::string& path) { return path.substr(0, path.rfind('/')); }

  Row get(const std::string& path) const {
    const auto found = znodes_.find(path);
    if (found == znodes_.end()) return {};
    return {found->second.data, std::to_string(found->second.version), "0", std::to_string(children(path).size())};
  }

  bool multi(const Parts& parts) {
    const auto before = znodes_;
    if (std::all_of(parts.begin(), parts.end(), [this](const auto& part) { return does(part); })) return true;
    znodes_ = before;
    return false;
  }

  bool does(const std::vector<std::string>& part) {
    const std::string& what = part[0];
    const std::string& path = part[1];
    if (what == "create") return znodes_.count(parent(path)) > 0 && znodes_.emplace(path, Znode{part[2], 0}).second;
    const auto found = znodes_.find(path);
    if (found == znodes_.end()) return false;
    if (part[2] != "-1" && part[2] != std::to_string(found->second.version)) return false;
    if (what == "set") found->second = {part[3], found->second.version + 1};
    if (what != "delete") return true;
    if (!children(path).empty()) return false;
    znodes_.erase(found);
    return true;
  }

  std::map<std::string, Znode> znodes_{{"/polyflake", {}}};
};

class RecordsOfZooKeeper : public testing::Test {
 protected:
  RecordsOfZooKeeper() {
    space.term = fresh();
    space.window_ms = 10'000;
    Cas cas = request();
    cas.makes_namespace = true;
    cas.space = space;
    EXPECT_EQ(write(cas), Outcome::ok);
    EXPECT_EQ(write(creation()), Outcome::ok);
  }

  Word fresh() { return {7, ++words_}; }

  Cas request() {
    Cas cas;
    cas.echo = fresh();
    cas.term = space.term;
    cas.incarnation = "-";
    return cas;
  }

  Cas creation() {
    Cas cas = request();
    cas.space_nonce = space.nonce;
    space.nonce = fresh();
    space.used = 1;
    cas.space = space;
    cas.node = 0;
    cas.record.nonce = nonce = fresh();
    return cas;
  }

  Cas renewal() {
    Cas cas = request();
    cas.node = 0;
    cas.node_nonce = nonce;
    cas.record.nonce = nonce = fresh();
    return cas;
  }

  // Returns the write to be carried after a look, or the answer.
  std::variant<Command, Answer> look(Dialect& dialect, const Cas& cas) {
    const Command command = dialect.begin(cas);
    return dialect.cas_replied(tree.carry(command));
  }

  static Outcome outcome(Dialect& dialect, const Reply& reply) {
    return std::get<Answer>(dialect.cas_replied(reply)).outcome;
  }

  Outcome write(const Cas& cas) {
    const auto dialect = client();
    const auto came = look(*dialect, cas);
    if (const auto* const answer = std::get_if<Answer>(&came)) return answer->outcome;
    return outcome(*dialect, tree.carry(std::get<Command>(came)));
  }

  std::optional<NodeRecord> read() {
    const auto dialect = client();
    const Command command = dialect->begin(Read{{0}});
    return std::get<Contents>(dialect->read_replied(tree.carry(command))).nodes.at(0);
  }

  static std::unique_ptr<Dialect> client() { return make_dialect("zookeeper", "orders", "", Placeholder::question); }

  Tree tree;
  NamespaceRecord space;
  Word nonce;  // of the record, once what was asked for last is done

 private:
  std::uint64_t words_ = 0;
};

TEST_F(RecordsOfZooKeeper, made_again_refuse_a_late_renewal_of_the_same_version) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(write(renewal()), Outcome::ok);
  const auto late = client();
  const Word before = nonce;
  const auto renewed = look(*late, renewal());
  const std::int64_t version = tree.version(kNode);
  nonce = before;

  tree.remove(kNode);
  EXPECT_FALSE(read());
  EXPECT_EQ(write(creation()), Outcome::ok);
  while (tree.version(kNode) < version) ASSERT_EQ(write(renewal()), Outcome::ok);
  EXPECT_EQ(tree.version(kNode), version);

  EXPECT_EQ(outcome(*late, tree.carry(std::get<Command>(renewed))), Outcome::conflict);
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->nonce, nonce) << "that of the holder, not of the one before";
}

TEST_F(RecordsOfZooKeeper, have_one_child_which_is_named_by_the_nonce) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(tree.children(kNode), std::vector<std::string>{kNode + "/" + to_text(nonce)});
    EXPECT_EQ(write(renewal()), Outcome::ok);
  }
}

TEST_F(RecordsOfZooKeeper, without_their_child_are_lost_and_can_be_created) {
  tree.remove(kNode + "/" + to_text(nonce));
  EXPECT_FALSE(read()) << "made by hand, or half deleted";
  EXPECT_EQ(write(renewal()), Outcome::conflict);
  EXPECT_EQ(write(creation()), Outcome::ok);
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->nonce, nonce);
  EXPECT_EQ(write(renewal()), Outcome::ok);
}

TEST_F(RecordsOfZooKeeper, without_their_child_are_stepped_over_where_none_was_handed_out) {
  tree.remove(kNode + "/" + to_text(nonce));
  Cas cas = request();
  cas.space_nonce = space.nonce;
  space.nonce = fresh();
  space.used = 0;
  cas.space = space;
  EXPECT_EQ(write(cas), Outcome::ok);
  EXPECT_TRUE(read()) << "a holder may have it whom the namespace forgot";
  EXPECT_EQ(write(creation()), Outcome::conflict);
}

TEST_F(RecordsOfZooKeeper, that_are_lost_are_created_once) {
  tree.remove(kNode + "/" + to_text(nonce));
  const NamespaceRecord before = space;
  const auto late = client();
  const auto created = look(*late, creation());
  space = before;
  EXPECT_EQ(write(creation()), Outcome::ok);
  EXPECT_EQ(outcome(*late, tree.carry(std::get<Command>(created))), Outcome::conflict);
  EXPECT_EQ(read()->nonce, nonce);
}

TEST_F(RecordsOfZooKeeper, that_cannot_be_read_are_nobodys_to_take) {
  tree.remove(kNode);
  tree.carry({"multi", {{"create", kNode, "of another program"}}});
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->until_ms, INT64_MAX);
  EXPECT_EQ(write(creation()), Outcome::conflict);
}

}  // namespace
}  // namespace polyflake::lease
