// Sources of the other kinds: their calls as plain C methods, as in claim.cpp.
#include "issuing.hpp"
#include "look.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace polyflake::python {
namespace {

using Id = std::array<unsigned char, facade::kUuidBytes>;

// uuid7 and objectid: a generator of positions.
struct Stamped : facade::Generator {
  explicit Stamped(const facade::Options& options) : facade::Generator(options) {}
  std::optional<Look> look;
};

// uuid4.
struct Random : facade::RandomUuids {
  explicit Random(const facade::Options& options) : facade::RandomUuids(options) {}
  static std::size_t id_bytes() { return facade::kUuidBytes; }
  std::optional<Look> look;
};

// --- ids of a source: false, with a Python error, where that failed --------------------------------

bool issue(PyObject* self, Stamped& source, Id& id) {
  bool spelled = false;
  do {
    const std::uint64_t execution = facade::execution();
    if (!succeeds([&] { source.expect(1); })) return false;
    std::int64_t position = 0;
    if (!take_id(self, position)) return false;
    const auto claimed = static_cast<std::uint64_t>(position);
    if (!succeeds([&] { spelled = source.spell(&claimed, 1, id.data(), execution); })) return false;
  } while (!spelled);
  return true;
}

bool issue(PyObject*, Random& source, Id& id) {
  return succeeds([&] { source.fill(id.data(), 1); });
}

bool issue_many(PyObject* self, Stamped& source, unsigned char* ids, std::size_t n) {
  constexpr std::size_t kPiece = 512;
  std::uint64_t positions[kPiece];
  const std::uint64_t execution = facade::execution();
  if (!succeeds([&] { source.expect(n); })) return false;
  for (std::size_t done = 0;;) {
    const std::size_t now = std::min(n - done, kPiece);
    if (!issue_ids(self, source, positions, now)) return false;
    bool spelled = false;
    const auto spell = [&] { spelled = source.spell(positions, now, ids + done * source.look->id_bytes(), execution); };
    if (!succeeds_without_gil(spell)) return false;
    // In a copy of the process, made by a signal handler on the way, all of it belongs to the original.
    if (!spelled) return issue_many(self, source, ids, n);
    done += now;
    if (done >= n) return true;
  }
}

bool issue_many(PyObject*, Random& source, unsigned char* ids, std::size_t n) {
  return succeeds_without_gil([&] { source.fill(ids, n); });
}

// --- methods ---------------------------------------------------------------------------------------

template <class Source>
PyObject* next_id(PyObject* self, PyObject*) {
  Id id;
  auto* const source = value_in<Source>(self);
  if (source == nullptr) return nullptr;
  return made_of_issued([&] { return issue(self, *source, id); }, [&] { return source->look->value(id.data()); });
}

template <class Source>
PyObject* next_id_string(PyObject* self, PyObject*) {
  Id id;
  auto* const source = value_in<Source>(self);
  if (source == nullptr) return nullptr;
  return made_of_issued([&] { return issue(self, *source, id); }, [&] { return source->look->text(id.data()); });
}

// Where it would have to wait, `issued` is false.
bool try_issue(PyObject* self, Stamped& source, Id& id, bool& issued) {
  bool spelled = false;
  do {
    const std::uint64_t execution = facade::execution();
    if (!succeeds([&] { source.expect(1); })) return false;
    std::int64_t position = 0;
    if (!try_take_id(self, position)) return false;
    issued = position >= 0;
    if (!issued) return true;
    const auto claimed = static_cast<std::uint64_t>(position);
    if (!succeeds([&] { spelled = source.spell(&claimed, 1, id.data(), execution); })) return false;
  } while (!spelled);
  return true;
}

PyObject* try_next_of_source(PyObject* self, PyObject*) {
  auto* const source = value_in<Stamped>(self);
  if (source == nullptr) return nullptr;
  Id id;
  bool issued = false;
  return made_of_issued([&] { return try_issue(self, *source, id, issued); },
                        [&] { return issued ? source->look->value(id.data()) : py::none().release().ptr(); });
}

// Of numbers and bytes: what else lies in memory, as references to objects or truth values, has bits that may not be.
bool is_plain(const Py_buffer& view) {
  return view.format == nullptr ||
         std::string_view(view.format).find_first_not_of("@=<>!^|(,)0123456789xcbBhHiIlLqQnNefdgsp") ==
             std::string_view::npos;
}

template <class Source>
PyObject* fill(PyObject* self, PyObject* buffer) {
  auto* const source = value_in<Source>(self);
  if (source == nullptr) return nullptr;
  Memory memory(buffer);
  const Py_buffer* const view = memory.view();
  const std::size_t id_bytes = source->look->id_bytes();
  if (view == nullptr || !is_plain(*view) || static_cast<std::size_t>(view->len) % id_bytes != 0) {
    memory.release();
    succeeds([&] {
      facade::raise("option_invalid", "fill() needs writable, contiguous memory of " + std::to_string(id_bytes) +
                                          " bytes an id, such as a bytearray");
    });
    return nullptr;
  }
  const std::size_t n = static_cast<std::size_t>(view->len) / id_bytes;
  const bool filled = issue_many(self, *source, static_cast<unsigned char*>(view->buf), n);
  memory.release();
  if (!filled) return nullptr;
  Py_RETURN_NONE;
}

template <class Source>
PyObject* next_ids(PyObject* self, PyObject* count) {
  auto* const source = value_in<Source>(self);
  if (source == nullptr) return nullptr;
  const std::size_t n = PyLong_AsSize_t(count);
  if (PyErr_Occurred() != nullptr) return nullptr;
  const std::size_t id_bytes = source->look->id_bytes();
  if (n > static_cast<std::size_t>(PY_SSIZE_T_MAX) / id_bytes) return PyErr_NoMemory();
  auto* const ids = static_cast<unsigned char*>(PyMem_Malloc(n * id_bytes));
  if (ids == nullptr) return PyErr_NoMemory();
  PyObject* const list = made_of_issued(
      [&] { return issue_many(self, *source, ids, n); },
      [&] { return list_of(n, [&](std::size_t i) { return source->look->value(ids + i * id_bytes); }); });
  PyMem_Free(ids);
  return list;
}

// (position, execution) -> the id, or None in a copy of the process: for waiting in asyncio.
PyObject* spelled(PyObject* self, PyObject* arguments) {
  auto* const source = value_in<Stamped>(self);
  unsigned long long position = 0, execution = 0;
  if (source == nullptr || PyArg_ParseTuple(arguments, "KK", &position, &execution) == 0) return nullptr;
  const std::uint64_t claimed = position;
  Id id;
  bool done = false;
  if (!succeeds([&] { done = source->spell(&claimed, 1, id.data(), execution); })) return nullptr;
  if (!done) Py_RETURN_NONE;
  PyObject* const made = source->look->value(id.data());
  if (made == nullptr || facade::execution() == execution) return made;
  Py_DECREF(made);
  Py_RETURN_NONE;
}

constexpr const char* kNextId =
    "next_id($self, /)\n--\n\n"
    "Issues one id.\n\n"
    "Errors: generator_closed, registry_unusable (the operating system has no random bits); of uuid7 and objectid also\n"
    "clock_before_epoch, clock_behind (a clock that was set back by more than 24 days) and time_exhausted, and with a\n"
    "worker those of Generator.next_id(). Blocks: at most max_wait_ms, without the GIL; uuid4 never.\n"
    "Thread safety: any thread.";
constexpr const char* kNextIdString =
    "next_id_string($self, /)\n--\n\nIssues one id as text. Errors, blocking, thread safety: as next_id().";
constexpr const char* kFill =
    "fill($self, buffer, /)\n--\n\n"
    "Fills writable memory, such as a bytearray, with ids of 16 or 12 bytes each, big endian, without gaps.\n\n"
    "Errors: as next_id(), and option_invalid for memory of another length. Blocks: as long as its size needs, without the\n"
    "GIL. Thread safety: any thread.";

PyMethodDef stamped_methods[] = {
    {"next_id", next_id<Stamped>, METH_NOARGS, kNextId},
    {"next_id_string", next_id_string<Stamped>, METH_NOARGS, kNextIdString},
    {"__next__", next_id<Stamped>, METH_NOARGS, "__next__($self, /)\n--\n\nThe same as next_id()."},
    {"try_next_id", try_next_of_source, METH_NOARGS,
     "try_next_id($self, /)\n--\n\n"
     "Issues one id, or returns None where next_id() would have to wait; then none is lost.\n\n"
     "Errors: as next_id(). Blocks: I/O of the worker alone. Thread safety: any thread."},
    {"fill", fill<Stamped>, METH_O, kFill},
    {"_next_ids", next_ids<Stamped>, METH_O, "_next_ids($self, n, /)\n--\n\n"},
    {"_spelled", spelled, METH_VARARGS, "_spelled($self, position, execution, /)\n--\n\n"},
};

PyMethodDef random_methods[] = {
    {"next_id", next_id<Random>, METH_NOARGS, kNextId},
    {"next_id_string", next_id_string<Random>, METH_NOARGS, kNextIdString},
    {"__next__", next_id<Random>, METH_NOARGS, "__next__($self, /)\n--\n\nThe same as next_id()."},
    {"fill", fill<Random>, METH_O, kFill},
    {"_next_ids", next_ids<Random>, METH_O, "_next_ids($self, n, /)\n--\n\n"},
};

template <class Source>
std::unique_ptr<Source> open(const facade::Options& options) {
  std::unique_ptr<Source> source;
  without_gil([&] { source = std::make_unique<Source>(options); });
  source->look.emplace(source->id_bytes());
  return source;
}

}  // namespace

void bind_sources(py::module_& module) {
  py::class_<Stamped, facade::Generator> stamped(module, "StampedSource");
  stamped.def(py::init(&open<Stamped>), py::arg("options"));
  for (PyMethodDef& method : stamped_methods) add_method(stamped, method);

  py::class_<Random> random(module, "RandomSource");
  random.def(py::init(&open<Random>), py::arg("options"))
      .def("close", [](py::handle self) { value_of<Random>(self).close(); })
      .def_property_readonly(
          "closed", [](py::handle self) { return value_of<Random>(self).closed(); }, "True once close() was called.")
      .def("_stats", [](py::handle self) { return dict_of(value_of<Random>(self).stats()); });
  for (PyMethodDef& method : random_methods) add_method(random, method);
}

}  // namespace polyflake::python
