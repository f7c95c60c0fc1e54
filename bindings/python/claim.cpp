// The calls that issue ids, as plain C methods on the bound Generator class.
//
// A method bound the usual way pays for the dispatch of overloads and arguments: about five times
// the cost of the id. A method descriptor (METH_NOARGS, METH_O) on the same class avoids that cost,
// so the issuing calls are written by hand, only here. That has two consequences:
// - value_in() unpacks `self`: it reads the value pointer of pybind11's instance itself;
// - no frame that takes the GIL back holds a C++ object of Python's or a catch block, because at
//   interpreter exit daemon threads are ended (unwound) at exactly that point.
#include "issuing.hpp"

#include <algorithm>

namespace polyflake::python {

bool look_after_runner(PyObject* self, bool blocking) {
  PyObject* const done = PyObject_CallMethod(self, "_look_after_runner", "O", blocking ? Py_True : Py_False);
  Py_XDECREF(done);
  return done != nullptr;
}

namespace {

constexpr std::int64_t kLongestSleepNs = 50'000'000;  // between two looks at pending signals

// The ways to claim a position of a generator, or an id of a source that is written to `id`.

struct OfGenerator {
  facade::Generator& source;
  std::int64_t now() const { return source.claim_now(); }
  std::int64_t slowly() const { return source.claim_slowly(); }
  std::int64_t unless_waiting() const { return source.try_claim(); }
  static bool take_wake() { return false; }
};

struct OfSource {
  facade::Source& source;
  unsigned char* id;
  std::int64_t now() const { return source.claim_id(facade::Claiming::now, id); }
  std::int64_t slowly() const { return source.claim_id(facade::Claiming::slowly, id); }
  std::int64_t unless_waiting() const { return source.claim_id(facade::Claiming::unless_waiting, id); }
  bool take_wake() const { return source.take_wake(); }
};

// Claims if the fast path gave nothing. Blocks: I/O, without the GIL.
template <class Of>
[[gnu::noinline]] bool claim_slowly(PyObject* self, Of of, std::int64_t& word) {
  if (!succeeds_without_gil([&] { word = of.slowly(); })) return false;
  return !of.take_wake() || look_after_runner(self, false);
}

// Gives an id, or ~id if the caller must wait for it; -1, which is ~0, if nothing can be claimed
// yet. The fast path keeps the GIL.
template <class Of>
bool claim_from(PyObject* self, Of of, std::int64_t& word) {
  if (!succeeds([&] { word = of.now(); })) return false;
  return word >= 0 || claim_slowly(self, of, word);
}

// Returns the time slept: a signal ends it early.
std::int64_t sleep_without_gil(std::int64_t ns) {
  PyThreadState* const thread = PyEval_SaveThread();
  const std::int64_t slept_ns = facade::sleep_ns(ns);
  PyEval_RestoreThread(thread);
  return slept_ns;
}

// Returns the time slept.
std::int64_t await_without_gil(const facade::CountedSource& source, const WaitingCall& call) {
  PyThreadState* const thread = PyEval_SaveThread();
  const std::int64_t slept_ns = source.await(call, kLongestSleepNs);
  PyEval_RestoreThread(thread);
  return slept_ns;
}

enum class Waited { due, again, failed };

// Waits until the tick of a claimed id has come; for id 0, until anything can be claimed. `again`:
// claim again, since something can be claimed now, or since this process is a fork and must discard
// the id. `failed`: a Python error is set, for example by a signal handler.
Waited wait_until_due(PyObject* self, facade::Source& source, std::uint64_t id) {
  std::int64_t waited_ns = 0;
  for (;;) {
    std::int64_t ns = 0;
    if (!succeeds([&] { ns = source.wait_ns(id, waited_ns); })) return Waited::failed;
    if (ns == 0) return Waited::due;
    if (ns < 0) return Waited::again;
    const bool wakes = source.take_wake();
    if (id == 0 && (waited_ns == 0 || wakes) && !look_after_runner(self, waited_ns == 0)) return Waited::failed;
    waited_ns += sleep_without_gil(std::min(ns, kLongestSleepNs));
    if (PyErr_CheckSignals() != 0) return Waited::failed;
  }
}

constexpr std::int64_t kFailed = -1;

template <class Of>
[[gnu::noinline]] std::int64_t take_slowly(PyObject* self, Of of) {
  for (;;) {
    std::int64_t word = 0;
    if (!claim_slowly(self, of, word)) return kFailed;
    if (word >= 0) return word;
    const Waited waited = wait_until_due(self, of.source, static_cast<std::uint64_t>(~word));
    if (waited != Waited::again) return waited == Waited::due ? ~word : kFailed;
  }
}

// Claims until an id may be used, and returns it, by value as Claims::claim_now(); kFailed, with a
// Python error, on failure.
template <class Of>
[[gnu::always_inline]] inline std::int64_t take(PyObject* self, Of of) {
  std::int64_t id = 0;
  if (!succeeds([&] { id = of.now(); })) return kFailed;
  return id >= 0 ? id : take_slowly(self, of);
}

// The same, but gives -1 if it would have to wait.
template <class Of>
bool try_take(PyObject* self, Of of, std::int64_t& id) {
  if (!succeeds([&] { id = of.now(); })) return false;
  if (id >= 0) return true;
  if (!succeeds_without_gil([&] { id = of.unless_waiting(); })) return false;
  return (id >= 0 && !of.take_wake()) || look_after_runner(self, false);
}

[[gnu::always_inline]] inline std::int64_t take_id(PyObject* self) {
  facade::Generator* const generator = generator_in(self);
  return generator != nullptr ? take(self, OfGenerator{*generator}) : kFailed;
}

// Waits until the store gave a number.
[[gnu::noinline]] bool issue_slowly(PyObject* self, facade::CountedSource& source, std::uint64_t& number) {
  WaitingCall call;
  bool claims = false;
  for (std::int64_t waited_ns = 0;; waited_ns += await_without_gil(source, call)) {
    if (!succeeds_without_gil([&] { claims = source.claim_or_note(call, waited_ns, number); })) return false;
    const bool begins_to_wait = waited_ns == 0 && !claims;
    const bool looks = begins_to_wait || source.take_wake();
    const bool looked = !looks || look_after_runner(self, begins_to_wait);
    if (looked && claims) return true;  // before a signal handler may raise: the number would be lost
    if (!looked || PyErr_CheckSignals() != 0) {
      source.give_up(call);
      return false;
    }
  }
}

}  // namespace

bool holds_numbers(const Py_buffer& view) {
  if (view.itemsize != sizeof(std::uint64_t) || view.format == nullptr) return false;
  const bool aligned = reinterpret_cast<std::uintptr_t>(view.buf) % alignof(std::uint64_t) == 0;
  if (!aligned && view.len != 0) return false;
  const char* format = view.format;
  constexpr char kNativeOrder = PY_LITTLE_ENDIAN != 0 ? '<' : '>';
  if (*format == '@' || *format == '=' || *format == kNativeOrder) ++format;
  return *format != '\0' && std::string("QqLlNn").find(*format) != std::string::npos && format[1] == '\0';
}

bool issue(PyObject* self, facade::Source& source, unsigned char* id) {
  return take(self, OfSource{source, id}) != kFailed;
}

bool issue_number(PyObject* self, facade::CountedSource& source, std::uint64_t& number) {
  return source.claim_held(number) || issue_slowly(self, source, number);
}

bool try_issue(PyObject* self, facade::Source& source, unsigned char* id, bool& issued) {
  std::int64_t position = 0;
  if (!try_take(self, OfSource{source, id}, position)) return false;
  issued = position >= 0;
  return true;
}

bool claim_once(PyObject* self, facade::Source& source, unsigned char* id, std::int64_t& word) {
  return claim_from(self, OfSource{source, id}, word);
}

bool issue_many(PyObject* self, facade::Source& source, unsigned char* ids, std::size_t n) {
  facade::Filling filling;
  do {
    if (!succeeds_without_gil([&] { source.fill(filling, ids, n); })) return false;
    if (source.take_wake() && !look_after_runner(self, false)) return false;
    if (!filling.waits) return true;
    const Waited waited = wait_until_due(self, source, filling.position);
    if (waited == Waited::failed) return false;
    filling.waited(waited == Waited::due);
  } while (true);
}

namespace {

PyObject* next_id(PyObject* self, PyObject*) { return issue_id(self); }

PyObject* next_id_string(PyObject* self, PyObject*) { return issue_id_text(self); }

PyObject* try_next_id(PyObject* self, PyObject*) {
  facade::Generator* const generator = generator_in(self);
  std::int64_t id = 0;
  if (generator == nullptr || !try_take(self, OfGenerator{*generator}, id)) return nullptr;
  if (id >= 0) return PyLong_FromLongLong(id);
  Py_RETURN_NONE;
}

PyObject* fill(PyObject* self, PyObject* buffer) {
  facade::Generator* const generator = generator_in(self);
  if (generator == nullptr) return nullptr;
  Memory memory(buffer);
  const Py_buffer* const view = memory.view();
  if (view == nullptr || !holds_numbers(*view)) {
    memory.release();
    succeeds([] {
      facade::raise("option_invalid",
                    "fill() needs writable, contiguous memory of aligned 8-byte integers: array('Q'), "
                    "or a NumPy array of uint64 or int64");
    });
    return nullptr;
  }
  const std::size_t n = static_cast<std::size_t>(view->len) / sizeof(std::uint64_t);
  const bool filled = issue_many(self, *generator, static_cast<unsigned char*>(view->buf), n);
  memory.release();
  if (!filled) return nullptr;
  Py_RETURN_NONE;
}

PyObject* next_ids(PyObject* self, PyObject* count) {
  facade::Generator* const generator = generator_in(self);
  if (generator == nullptr) return nullptr;
  const std::size_t n = PyLong_AsSize_t(count);
  if (PyErr_Occurred() != nullptr) return nullptr;
  std::uint64_t* const ids = PyMem_New(std::uint64_t, n);
  if (ids == nullptr) return PyErr_NoMemory();
  PyObject* const list =
      made_of_issued([&] { return issue_many(self, *generator, reinterpret_cast<unsigned char*>(ids), n); },
                     [&] { return list_of(n, [&](std::size_t i) { return PyLong_FromUnsignedLongLong(ids[i]); }); });
  PyMem_Free(ids);
  return list;
}

// Returns (word of the claim, id), for waiting in asyncio.
PyObject* claim(PyObject* self, PyObject*) {
  facade::Generator* const generator = generator_in(self);
  std::int64_t word = 0;
  if (generator == nullptr || !claim_from(self, OfGenerator{*generator}, word)) return nullptr;
  return claim_of(word, PyLong_FromLongLong(word >= 0 ? word : ~word));
}

PyMethodDef issuing_methods[] = {
    {"next_id", next_id, METH_NOARGS,
     "next_id($self, /)\n--\n\n"
     "Issues one id: 0 <= id < 2**63, greater than every id whose call returned before this one began.\n\n"
     "Errors: clock_behind, clock_before_epoch, time_exhausted, forked_generator, generator_closed,\n"
     "registry_unusable; when a node id is taken again worker_in_use, no_worker_free; if the window of a lease is\n"
     "over store_unavailable, lease_lost, clock_skew, layout_mismatch, namespace_not_initialised, wrong_namespace.\n"
     "Blocks: at most max_wait_ms, and until the window begins if it lies ahead: up to 2 s for a \"host\" worker, a\n"
     "tick for a number. About every 1.5 s one call does the file I/O of a \"host\" worker. All of it without the\n"
     "GIL; signal handlers run meanwhile. Thread safety: any thread."},
    {"next_id_string", next_id_string, METH_NOARGS,
     "next_id_string($self, /)\n--\n\n"
     "Issues one id as text, canonical decimal: for JSON, whose numbers lose digits in many readers.\n\n"
     "Errors, blocking, thread safety: as next_id()."},
    {"__next__", next_id, METH_NOARGS, "__next__($self, /)\n--\n\nThe same as next_id()."},
    {"try_next_id", try_next_id, METH_NOARGS,
     "try_next_id($self, /)\n--\n\n"
     "Issues one id, or returns None if next_id() would have to wait; then none is lost.\n\n"
     "Errors: as next_id(). Blocks: never waits for the clock or a window, but may do the file I/O of a\n"
     "\"host\" worker, without the GIL. Thread safety: any thread."},
    {"fill", fill, METH_O,
     "fill($self, buffer, /)\n--\n\n"
     "Fills a writable buffer of 8-byte integers (array('Q'), NumPy uint64) with ids in rising order:\n"
     "exactly those that as many single calls would have given.\n\n"
     "Errors: as next_id(), and option_invalid for any other buffer. After an error, or an exception of a\n"
     "signal handler, the contents must not be used.\n"
     "Blocks: as long as its size needs, without the GIL. Thread safety: any thread."},
    {"_next_ids", next_ids, METH_O, "_next_ids($self, n, /)\n--\n\n"},
    {"_claim", claim, METH_NOARGS, "_claim($self, /)\n--\n\n"},
    {"_wait_ns", wait_ns<facade::Generator>, METH_VARARGS, kWaitNs},
};

}  // namespace

PyObject* issue_id(PyObject* generator) {
  const std::int64_t id = take_id(generator);
  return id != kFailed ? PyLong_FromLongLong(id) : nullptr;
}

PyObject* issue_id_text(PyObject* generator) {
  const std::int64_t id = take_id(generator);
  if (id == kFailed) return nullptr;
  char digits[facade::kLongestDecimal];
  const std::size_t length = facade::write_decimal(static_cast<std::uint64_t>(id), digits);
  return PyUnicode_FromStringAndSize(digits, static_cast<Py_ssize_t>(length));
}

void add_issuing_methods(py::handle generator_class) {
  for (PyMethodDef& method : issuing_methods) add_method(generator_class, method);
}

}  // namespace polyflake::python
