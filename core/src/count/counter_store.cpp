#include <polyflake/counter_store.hpp>

#include "count/rules.hpp"

namespace polyflake::count {
namespace {

// Returns what the namespace and the record say to any request: ok, or why it is refused.
Outcome judge(const std::optional<Record>& record, const Request& request, const Present& present) {
  if (!present.space || present.space->uuid != request.uuid) return Outcome::wrong_namespace;
  if (!record) return Outcome::absent;
  if (record->term != request.term) return Outcome::term;
  return present.incarnation == request.incarnation ? Outcome::ok : Outcome::incarnation;
}

Outcome judge_add(const std::optional<Record>& record, const Add& request, const Present& present) {
  const Outcome outcome = judge(record, request, present);
  if (outcome != Outcome::ok) return outcome;
  if (record->incarnation != request.incarnation) return Outcome::incarnation;
  const bool is_over = present.store_ms && *present.store_ms >= record->until_ms;
  const bool is_same = holds(Rule::add_names_period, record->until_ms == request.until_ms);
  if (is_over || !is_same) return Outcome::until;
  return record->room < request.n ? Outcome::room : Outcome::ok;
}

Outcome judge_head(const std::optional<Record>& record, const WriteHead& request, const Present& present) {
  const Outcome outcome = judge(record, request, present);
  if (!request.head_nonce) return outcome == Outcome::absent ? Outcome::ok : Outcome::conflict;
  if (outcome != Outcome::ok) return outcome;
  return record->head.nonce == *request.head_nonce ? Outcome::ok : Outcome::conflict;
}

Outcome judge_back(const std::optional<Record>& record, const Back& request, const Present& present) {
  const Outcome outcome = judge(record, request, present);
  if (outcome != Outcome::ok) return outcome;
  if (record->incarnation != request.incarnation) return Outcome::incarnation;
  if (record->nonce != request.nonce || request.n >= record->next) return Outcome::conflict;
  const bool is_whole =
      !request.whole || (record->head.nonce == request.whole->head_nonce && record->next == request.whole->end);
  return is_whole ? Outcome::ok : Outcome::conflict;
}

Answer answer(Outcome outcome, const Request& request, const Present& present) {
  return {outcome, request.echo, 0, 0, present.store_ms};
}

}  // namespace

Answer step(std::optional<Record>& record, const Add& request, const Present& present) {
  Answer answer = count::answer(judge_add(record, request, present), request, present);
  if (answer.outcome != Outcome::ok) return answer;
  answer.first = record->next;
  record->next += request.n;
  record->room -= request.n;
  record->nonce = request.echo;
  answer.room = record->room;
  return answer;
}

Answer step(std::optional<Record>& record, const WriteHead& request, const Present& present) {
  const Answer answer = count::answer(judge_head(record, request, present), request, present);
  if (answer.outcome != Outcome::ok) return answer;
  Record written = request.record;
  if (!request.sets_next) {
    written.next = record->next;
    written.nonce = record->nonce;
    written.room = record->room + static_cast<std::uint64_t>(request.room_change);
  }
  record = written;
  return answer;
}

Answer step(std::optional<Record>& record, const Back& request, const Present& present) {
  const Answer answer = count::answer(judge_back(record, request, present), request, present);
  if (answer.outcome != Outcome::ok) return answer;
  record->next -= request.n;
  record->room += request.n;
  if (keeps(Rule::back_writes_nonce)) record->nonce = request.echo;
  if (request.whole) record->head.nonce = request.echo;
  return answer;
}

}  // namespace polyflake::count
