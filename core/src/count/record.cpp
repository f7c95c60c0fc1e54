#include "count/record.hpp"

#include <algorithm>
#include <iterator>

#include "lease/record_table.hpp"

namespace polyflake::lease {

// Decimal. These two and those for heads are found by the tables below: so they are not in an
// unnamed namespace.
static std::string printed(const FieldName&, count::Wide number) {
  std::string digits;
  const bool negative = number < 0;
  do {
    const auto digit = static_cast<int>(number % 10);
    digits.push_back(static_cast<char>('0' + (negative ? -digit : digit)));
    number /= 10;
  } while (number != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

static bool read(const FieldName& field, const std::string& text, count::Wide& number) {
  constexpr std::size_t kMostDigits = 37;  // more could pass 2^126
  const bool negative = text.rfind('-', 0) == 0;
  const std::string_view digits = std::string_view(text).substr(negative ? 1 : 0);
  number = 0;
  if (digits.size() > kMostDigits || !ascii::is_canonical_decimal(digits)) return false;
  for (const char c : digits) number = number * 10 + (c - '0');
  number *= negative ? -1 : 1;
  return printed(field, number) == text;  // and not "-0"
}

}  // namespace polyflake::lease

namespace polyflake::count {

static std::string printed(const lease::FieldName&, const Head& head) { return print(head); }
static bool read(const lease::FieldName&, const std::string& text, Head& head) {
  return lease::set(head, head_of(text));
}

namespace {

using lease::FieldType;
using lease::RecordField;

constexpr char kEndOfHeadField = ';';
constexpr std::size_t kLongestHead = 512;

constexpr RecordField<Head, Wide> kHeadFields[] = {
    {{"format", FieldType::format, 16}, {}},
    {{"nonce", FieldType::word, 32}, &Head::nonce},
    {{"kind", FieldType::text, 16}, &Head::kind},
    {{"period", FieldType::text, 16}, &Head::period},
    {{"digits", FieldType::number, 0}, &Head::digits},
    {{"zone", FieldType::text, 64}, &Head::zone},
    {{"base", FieldType::signed_number, 0}, &Head::base},
    {{"rate", FieldType::number, 0}, &Head::rate},
    {{"burst", FieldType::number, 0}, &Head::burst},
    {{"top", FieldType::number, 0}, &Head::top},
    {{"failover", FieldType::text, 16}, &Head::failover},
    {{"topped_up_ms", FieldType::ms, 0}, &Head::topped_up_ms},
    {{"period_label", FieldType::number, 0}, &Head::period_label},
    {{"period_start_ms", FieldType::signed_number, 0}, &Head::period_start_ms},
};

constexpr RecordField<Record, Head> kRecordFields[] = {
    {{"head", FieldType::text, kLongestHead}, &Record::head},
    {{"next", FieldType::number, 0}, &Record::next},
    {{"room", FieldType::number, 0}, &Record::room},
    {{"until_ms", FieldType::ms, 0}, &Record::until_ms},
    {{"nonce", FieldType::word, 32}, &Record::nonce},
    {{"term", FieldType::word, 32}, &Record::term},
    {{"incarnation", FieldType::text, 128}, &Record::incarnation},
    {{"label", FieldType::text, 128}, &Record::label},
};

// Returns true if the machine can reckon with the head. Any other is refused.
bool is_sound(const Head& head) {
  constexpr std::string_view kWays[] = {"jump", "stop", "trust"};
  const bool is_date = head.kind == "date";
  return (is_date || head.kind == "segment") && (head.period_label != 0) == is_date && (head.digits != 0) == is_date &&
         head.top > 0 && head.rate > 0 &&
         std::find(std::begin(kWays), std::end(kWays), head.failover) != std::end(kWays);
}

}  // namespace

FieldNames record_fields() { return lease::names_of(kRecordFields); }

bool is_counted(const lease::FieldName& field) {
  return field.name == "next" || field.name == "room" || field.name == "nonce";
}

Fields fields_of(const Record& record) { return lease::printed(kRecordFields, record); }

std::optional<Record> record_of(const Fields& fields) {
  const auto record = lease::read(kRecordFields, fields);
  const bool sound = record && record->until_ms > record->head.period_start_ms &&
                     record->room <= record->head.top + 1 - std::min(record->next, record->head.top + 1);
  return sound ? record : std::nullopt;
}

std::string print(const Head& head) {
  return lease::print(lease::names_of(kHeadFields), lease::printed(kHeadFields, head), kEndOfHeadField);
}

std::optional<Head> head_of(std::string_view text) {
  const auto fields = lease::parse(lease::names_of(kHeadFields), text, kEndOfHeadField);
  const auto head = fields ? lease::read(kHeadFields, *fields) : std::nullopt;
  return head && is_sound(*head) ? head : std::nullopt;
}

}  // namespace polyflake::count
