// The rows of codecs in C++. The floor is what the standard library does with the same ids: std::to_chars writes them in
// decimal, std::from_chars reads that. Like a codec it neither allocates nor knows a locale; base 10 is all it has to know.
#include <polyflake/codec.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <stdexcept>
#include <string>

#include "report.hpp"

namespace polyflake::bench {
namespace {

constexpr std::size_t kIds = 4096;  // they and their texts stay in the second cache
using Texts = std::vector<std::array<char, Codec::kLongest>>;
using Pass = std::function<void()>;  // over all ids

Ids random_ids() {
  std::mt19937_64 random(20220320);
  Ids ids(kIds);
  for (std::uint64_t& id : ids) id = random() >> 1;  // 63 bits, as ids have
  return ids;
}

// Passes that take a millisecond together.
class Passes {
 public:
  explicit Passes(Pass pass) : pass_(std::move(pass)) {
    while (std::min(ns_of_id(), ns_of_id()) * static_cast<double>(kIds * count_) < 1e6) count_ *= 2;
  }
  double ns_of_id() const {
    const auto begin = Steady::now();
    for (std::size_t i = 0; i < count_; ++i) pass_();
    return ns_since(begin) / static_cast<double>(kIds * count_);
  }

 private:
  Pass pass_;
  std::size_t count_ = 1;
};

void add_passes(Report& report, const char* row, const Subject& subject, const char* codec, const Pass& floor_pass,
                const Pass& work_pass, const std::function<std::size_t()>& wrong) {
  const Passes floor(floor_pass), work(work_pass);
  auto rounds = nlohmann::ordered_json::array();
  for (int i = 0; i < report.settings().rounds(); ++i) {
    const double before = floor.ns_of_id(), ns = work.ns_of_id(), after = floor.ns_of_id();
    rounds.push_back({before, ns, after});
  }
  report.add(row, subject, {{"codec", codec}, {"rounds", rounds}, {"ids", kIds}, {"wrong", wrong()}});
}

// The loop that is written again and again, from the last digit on. Our baseline, not somebody's library.
void textbook(std::uint64_t id, std::string_view digits, char* text, std::size_t width) {
  for (std::size_t i = width; i-- > 0; id /= digits.size()) text[i] = digits[id % digits.size()];
}

class CodecRows {
 public:
  CodecRows(Report& report, const char* name) : report_(report), name_(name), codec_(Codec::named(name)) {
    for (std::size_t i = 0; i < kIds; ++i) {
      textbook(ids_[i], codec_.digits(), expected_[i].data(), width_);
      decimal_end_[i] = std::to_chars(decimal_[i].data(), decimal_[i].data() + decimal_[i].size(), ids_[i]).ptr;
    }
  }

  void add_encode() {
    const auto add = [&](const Subject& subject, const auto& encode, const auto& text_of) {
      for (auto& text : texts_) text.fill(0);
      const auto pass = [&] {
        for (std::size_t i = 0; i < kIds; ++i) encode(i);
      };
      add_passes(
          report_, "codec.encode", subject, name_, [this] { write_decimal(); }, pass,
          [&] {
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < kIds; ++i) {
              const std::string text = text_of(i);
              wrong += text != std::string_view(expected_[i].data(), width_) || codec_.decode(text) != ids_[i];
              expect_of_floor(floor_texts_[i].data() == std::to_string(ids_[i]));
            }
            return wrong;
          });
    };
    const auto kept = [this](std::size_t i) { return std::string(texts_[i].data(), width_); };
    add(
        {kOurs, "Codec::encode(id, text)", ""}, [this](std::size_t i) { codec_.encode(ids_[i], texts_[i].data()); },
        kept);
    add(
        {kOurs, "Codec::encode(id)", ""},
        [this](std::size_t i) {
          const std::string text = codec_.encode(ids_[i]);
          last_ = text.data();  // so that nothing is left out
        },
        [this](std::size_t i) { return codec_.encode(ids_[i]); });
    if (!report_.settings().peers) return;
    add(
        {"textbook", "id % base, id / base", ""},
        [this](std::size_t i) { textbook(ids_[i], codec_.digits(), texts_[i].data(), width_); }, kept);
  }

  void add_decode() {
    std::fill(read_.begin(), read_.end(), 0);
    const auto pass = [this] {
      for (std::size_t i = 0; i < kIds; ++i) read_[i] = codec_.decode({expected_[i].data(), width_});
    };
    add_passes(
        report_, "codec.decode", {kOurs, "Codec::decode(text)", ""}, name_, [this] { read_decimal(); }, pass,
        [this] {
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < kIds; ++i) {
            wrong += read_[i] != ids_[i];
            expect_of_floor(floor_read_[i] == ids_[i]);
          }
          return wrong;
        });
  }

 private:
  void write_decimal() {
    for (std::size_t i = 0; i < kIds; ++i) {
      std::to_chars(floor_texts_[i].data(), floor_texts_[i].data() + Codec::kLongest, ids_[i]);
    }
  }
  void read_decimal() {
    for (std::size_t i = 0; i < kIds; ++i) {
      const auto [end, fault] = std::from_chars(decimal_[i].data(), decimal_end_[i], floor_read_[i]);
      if (fault != std::errc() || end != decimal_end_[i]) floor_read_[i] = 0;
    }
  }

  static void expect_of_floor(bool fact) {
    if (!fact) throw std::logic_error("the floor of the codecs is wrong");
  }

  Report& report_;
  const char* const name_;
  const Codec codec_;
  const std::size_t width_ = static_cast<std::size_t>(codec_.width());
  const Ids ids_ = random_ids();
  Texts texts_ = Texts(kIds), expected_ = texts_, decimal_ = texts_, floor_texts_ = texts_;
  std::vector<const char*> decimal_end_ = std::vector<const char*>(kIds);
  const char* volatile last_ = nullptr;
  Ids read_ = Ids(kIds), floor_read_ = Ids(kIds);
};

}  // namespace

void add_codec_rows(Report& report) {
  for (const char* name : {"crockford32", "base62"}) {
    CodecRows rows(report, name);
    if (report.wants("codec.encode")) rows.add_encode();
    if (report.wants("codec.decode")) rows.add_decode();
  }
}

}  // namespace polyflake::bench
