// Sources of other kinds: their calls as plain C methods, as in claim.cpp.
#include "form.hpp"
#include "issuing.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace polyflake::python {
namespace {

using Id = std::array<unsigned char, facade::kMostIdBytes>;

struct BytesSource {
  explicit BytesSource(const facade::Options& options) : source(facade::Source::open(options)) {}
  std::unique_ptr<facade::Source> source;
  std::optional<PythonForm> form;  // made with the GIL
};

// Ids that are spelled from positions.
struct StampedSource : BytesSource {
  using BytesSource::BytesSource;
};

// Numbers of a counter.
struct CountedSource : BytesSource {
  using BytesSource::BytesSource;
  facade::CountedSource& counted() const { return static_cast<facade::CountedSource&>(*source); }
};

facade::Source& source_in(BytesSource& bound) { return *bound.source; }

// Methods.

template <class Make>
PyObject* next(PyObject* self, Make make) {
  Id id;
  auto* const bound = value_in<BytesSource>(self);
  if (bound == nullptr) return nullptr;
  return made_of_issued([&] { return issue(self, *bound->source, id.data()); },
                        [&] { return make(*bound->form, id.data()); });
}

PyObject* next_of_source(PyObject* self, PyObject*) {
  return next(self, [](const PythonForm& form, const unsigned char* id) { return form.value(id); });
}

PyObject* next_text_of_source(PyObject* self, PyObject*) {
  return next(self, [](const PythonForm& form, const unsigned char* id) { return form.text(id); });
}

PyObject* try_next_of_source(PyObject* self, PyObject*) {
  auto* const bound = value_in<BytesSource>(self);
  if (bound == nullptr) return nullptr;
  Id id;
  bool issued = false;
  return made_of_issued([&] { return try_issue(self, *bound->source, id.data(), issued); },
                        [&] { return issued ? bound->form->value(id.data()) : py::none().release().ptr(); });
}

// Returns (word of the claim, id), for waiting in asyncio.
PyObject* claim_of_source(PyObject* self, PyObject*) {
  auto* const bound = value_in<BytesSource>(self);
  if (bound == nullptr) return nullptr;
  Id id;
  std::int64_t word = 0;
  return made_of_issued(
      [&] { return claim_once(self, *bound->source, id.data(), word); },
      [&] { return claim_of(word, word == -1 ? py::none().release().ptr() : bound->form->value(id.data())); });
}

// Numbers of a counter. next_number() makes the int at once, as its cost matters.

PyObject* next_number(PyObject* self, PyObject*) {
  std::uint64_t number = 0;
  auto* const bound = value_in<CountedSource>(self);
  if (bound == nullptr || !issue_number(self, bound->counted(), number)) return nullptr;
  return PyLong_FromUnsignedLongLong(number);
}

PyObject* next_text_of_number(PyObject* self, PyObject*) {
  std::uint64_t number = 0;
  auto* const bound = value_in<CountedSource>(self);
  if (bound == nullptr) return nullptr;
  return made_of_issued([&] { return issue_number(self, bound->counted(), number); },
                        [&] { return bound->form->text(reinterpret_cast<const unsigned char*>(&number)); });
}

// Returns true for numbers and bytes. Other memory, such as references to objects or truth values,
// does not allow all bits.
bool is_plain(const Py_buffer& view) {
  return view.format == nullptr ||
         std::string_view(view.format).find_first_not_of("@=<>!^|(,)0123456789xcbBhHiIlLqQnNefdgsp") ==
             std::string_view::npos;
}

PyObject* fill_of_source(PyObject* self, PyObject* buffer) {
  auto* const bound = value_in<BytesSource>(self);
  if (bound == nullptr) return nullptr;
  Memory memory(buffer);
  const Py_buffer* const view = memory.view();
  const std::size_t id_bytes = bound->form->id_bytes();
  const bool fits = view != nullptr && (bound->form->is_number() ? holds_numbers(*view) : is_plain(*view));
  if (!fits || static_cast<std::size_t>(view->len) % id_bytes != 0) {
    memory.release();
    succeeds([&] {
      facade::raise("option_invalid", "fill() needs writable, contiguous memory of " + std::to_string(id_bytes) +
                                          " bytes an id, such as a bytearray");
    });
    return nullptr;
  }
  const std::size_t n = static_cast<std::size_t>(view->len) / id_bytes;
  const bool filled = issue_many(self, *bound->source, static_cast<unsigned char*>(view->buf), n);
  memory.release();
  if (!filled) return nullptr;
  Py_RETURN_NONE;
}

PyObject* next_ids_of_source(PyObject* self, PyObject* count) {
  auto* const bound = value_in<BytesSource>(self);
  if (bound == nullptr) return nullptr;
  const std::size_t n = PyLong_AsSize_t(count);
  if (PyErr_Occurred() != nullptr) return nullptr;
  const std::size_t id_bytes = bound->form->id_bytes();
  if (n > static_cast<std::size_t>(PY_SSIZE_T_MAX) / id_bytes) return PyErr_NoMemory();
  auto* const ids = static_cast<unsigned char*>(PyMem_Malloc(n * id_bytes));
  if (ids == nullptr) return PyErr_NoMemory();
  PyObject* const list =
      made_of_issued([&] { return issue_many(self, *bound->source, ids, n); },
                     [&] { return list_of(n, [&](std::size_t i) { return bound->form->value(ids + i * id_bytes); }); });
  PyMem_Free(ids);
  return list;
}

constexpr const char* kNextId =
    "next_id($self, /)\n--\n\n"
    "Issues one id.\n\n"
    "Errors: generator_closed, registry_unusable (the operating system has no random bits); of ids that rise also\n"
    "clock_before_epoch, clock_behind (a clock that was set back by more than 24 days) and time_exhausted, and with a\n"
    "worker those of Generator.next_id(). Blocks: ids that rise at most max_wait_ms, without the GIL.\n"
    "Thread safety: any thread.";
constexpr const char* kNextIdString =
    "next_id_string($self, /)\n--\n\nIssues one id as text. Errors, blocking, thread safety: as next_id().";
constexpr const char* kNext = "__next__($self, /)\n--\n\nThe same as next_id().";
constexpr const char* kFill =
    "fill($self, buffer, /)\n--\n\n"
    "Fills writable memory, such as a bytearray, with the bytes of ids, big endian, without gaps.\n\n"
    "Errors: as next_id(), and option_invalid for memory of another length. Blocks: as long as its size needs, without the\n"
    "GIL. Thread safety: any thread.";

PyMethodDef source_methods[] = {
    {"next_id", next_of_source, METH_NOARGS, kNextId},
    {"next_id_string", next_text_of_source, METH_NOARGS, kNextIdString},
    {"__next__", next_of_source, METH_NOARGS, kNext},
    {"fill", fill_of_source, METH_O, kFill},
    {"_next_ids", next_ids_of_source, METH_O, "_next_ids($self, n, /)\n--\n\n"},
};

PyMethodDef number_methods[] = {
    {"next_id", next_number, METH_NOARGS, kNextId},
    {"next_id_string", next_text_of_number, METH_NOARGS, kNextIdString},
    {"__next__", next_number, METH_NOARGS, kNext},
};

template <class Bound>
PyMethodDef waiting_methods[] = {
    {"try_next_id", try_next_of_source, METH_NOARGS,
     "try_next_id($self, /)\n--\n\n"
     "Issues one id, or returns None if next_id() would have to wait; then none is lost.\n\n"
     "Errors: as next_id(). Blocks: I/O of the worker alone. Thread safety: any thread."},
    {"_claim", claim_of_source, METH_NOARGS, "_claim($self, /)\n--\n\n"},
    {"_wait_ns", wait_ns<Bound>, METH_VARARGS, kWaitNs},
};

template <class Bound>
std::unique_ptr<Bound> open(const facade::Options& options) {
  std::unique_ptr<Bound> bound;
  without_gil([&] { bound = std::make_unique<Bound>(options); });
  bound->form.emplace(*bound->source);
  return bound;
}

}  // namespace

void bind_sources(py::module_& module) {
  py::class_<BytesSource> source(module, "BytesSource");
  source.def(py::init(&open<BytesSource>), py::arg("options"));
  add_calls_of_sources(source);
  for (PyMethodDef& method : source_methods) add_method(source, method);

  py::class_<StampedSource, BytesSource> stamped(module, "StampedSource");
  stamped.def(py::init(&open<StampedSource>), py::arg("options"));
  add_calls_of_positions(stamped);
  for (PyMethodDef& method : waiting_methods<StampedSource>) add_method(stamped, method);

  py::class_<CountedSource, BytesSource> counted(module, "CountedSource");
  counted.def(py::init(&open<CountedSource>), py::arg("options"));
  add_state(counted);
  for (PyMethodDef& method : number_methods) add_method(counted, method);
  for (PyMethodDef& method : waiting_methods<CountedSource>) add_method(counted, method);
}

}  // namespace polyflake::python
