// The facade as Java classes, by allow-list: a name that is not below does not cross.
//
// The generated package is internal; people use the hand-written classes of io.github.polyflake.
// The objects they hold are freed only after their proxy has become unreachable (Reclaimer), never
// by a call. So a use after a free is impossible, also when close() races other threads. Each
// native call takes the proxy along, which keeps it reachable until the call returns.
%module(jniclassname="Native") Facade

%{
#include "convert.hpp"
#include "facade/facade.hpp"
#include "failure.hpp"
%}

%exception {
  try {
    $action
  } catch (...) {
    polyflake::java::throw_current_failure(jenv);
    return $null;
  }
}

// The shape of the generated classes.

%pragma(java) jniclassclassmodifiers="final class"
%pragma(java) jniclasscode=%{
  static {
    NativeLibrary.require();
  }
%}
%pragma(java) moduleclassmodifiers="public final class"
%typemap(javaclassmodifiers) SWIGTYPE "public final class"
%typemap(javafinalize) SWIGTYPE ""
%typemap(javainterfaces) SWIGTYPE ""
%typemap(javadestruct, methodname="delete", methodmodifiers="private", parameters="") SWIGTYPE ""
%typemap(javabody) SWIGTYPE %{
  private final long swigCPtr;

  $javaclassname(long handle, boolean owned) {
    swigCPtr = handle;
    if (owned) {
      Reclaimer.watch(this, handle, Native::delete_$javaclassname);
    }
  }

  static long getCPtr($javaclassname proxy) {
    return proxy == null ? 0 : proxy.swigCPtr;
  }
%}

// Options exist only inside one method of the builder and may be large: they are freed there, at
// once.
%typemap(javadestruct, methodname="delete", methodmodifiers="public", parameters="") polyflake::facade::Options {
    $jnicall;
  }
%typemap(javabody) polyflake::facade::Options %{
  private final long swigCPtr;

  $javaclassname(long handle, boolean owned) {
    swigCPtr = handle;
  }

  static long getCPtr($javaclassname proxy) {
    return proxy == null ? 0 : proxy.swigCPtr;
  }
%}

// The common part of leases and tasks is freed with them.
%typemap(javaclassmodifiers) polyflake::facade::StoreSession "public class"
%typemap(javabody) polyflake::facade::StoreSession %{
  private final long swigCPtr;

  $javaclassname(long handle, boolean owned) {
    swigCPtr = handle;
  }

  static long getCPtr($javaclassname proxy) {
    return proxy == null ? 0 : proxy.swigCPtr;
  }
%}
%typemap(javadestruct_derived, methodname="delete", methodmodifiers="private", parameters="") SWIGTYPE ""
%typemap(javabody_derived) SWIGTYPE %{
  private final long swigCPtr;

  $javaclassname(long handle, boolean owned) {
    super(Native.$javaclassname_SWIGUpcast(handle), false);
    swigCPtr = handle;
    if (owned) {
      Reclaimer.watch(this, handle, Native::delete_$javaclassname);
    }
  }

  static long getCPtr($javaclassname proxy) {
    return proxy == null ? 0 : proxy.swigCPtr;
  }
%}

// Values.

%apply long long { std::int64_t, std::uint64_t, std::size_t };
%typemap(in, numinputs=0) JNIEnv* jenv "$1 = jenv;"

%define POLYFLAKE_VALUE(TYPE, JNI, JAVA)
%typemap(jni) TYPE, const TYPE& "JNI"
%typemap(jtype) TYPE, const TYPE& "JAVA"
%typemap(jstype) TYPE, const TYPE& "JAVA"
%typemap(javain) TYPE, const TYPE& "$javainput"
%typemap(javaout) TYPE, const TYPE& { return $jnicall; }
%typemap(in) const TYPE& (TYPE converted) %{
  if (!polyflake::java::from_java(jenv, $input, converted)) return $null;
  $1 = &converted;
%}
%typemap(out) TYPE %{ $result = polyflake::java::to_java(jenv, $1); %}
%typemap(out) const TYPE& %{ $result = polyflake::java::to_java(jenv, *$1); %}
%enddef

POLYFLAKE_VALUE(std::string, jstring, String)
POLYFLAKE_VALUE(std::vector<std::string>, jobjectArray, String[])
POLYFLAKE_VALUE(std::vector<int>, jintArray, int[])
POLYFLAKE_VALUE(std::vector<std::int64_t>, jlongArray, long[])
POLYFLAKE_VALUE(std::vector<std::uint64_t>, jlongArray, long[])
POLYFLAKE_VALUE(polyflake::facade::Bytes, jbyteArray, byte[])
POLYFLAKE_VALUE(polyflake::Parts, jlongArray, long[])
POLYFLAKE_VALUE(polyflake::facade::StoreReply, jobjectArray, String[][])

// Members of structs can be read, not written.
%immutable;

// All statistics cross.
%rename(NativeStats) polyflake::Stats;
%rename(NativeStats) polyflake::Stats::~Stats;
%rename("%(lowercamelcase)s", %$isvariable) "";
%nodefaultctor polyflake::Stats;
%ignore polyflake::Stats::each;
%include "polyflake/stats.hpp"

// The allow-list.

%ignore "";

%rename("%s") polyflake;
%rename("%s") polyflake::facade;
%rename("%s") polyflake::java;

%rename("%s") polyflake::facade::version;
%rename(presetNames) polyflake::facade::preset_names;
%rename(toText) polyflake::facade::to_text;
%rename(fromText) polyflake::facade::from_text;
%rename(idFromText) polyflake::facade::id_from_text;
%rename("%s") polyflake::facade::raise;
%rename("%s") polyflake::facade::quoted;
%rename(takeWarning) polyflake::facade::take_warning;
%rename(claimRange) polyflake::java::claim_range;

%rename(NativeCodec) polyflake::facade::Codec;
%rename(NativeCodec) polyflake::facade::Codec::~Codec;
%rename(NativeCodec) polyflake::facade::Codec::Codec(const std::string&, bool);
%rename(NativeCodec) polyflake::facade::Codec::Codec(const std::string&, std::int64_t, bool);
%rename("%s") polyflake::facade::Codec::encode;
%rename("%s") polyflake::facade::Codec::decode;
%rename(encodeMany) polyflake::facade::Codec::encode_many;
%rename(decodeMany) polyflake::facade::Codec::decode_many;
%rename("%s") polyflake::facade::Codec::name;
%rename("%s") polyflake::facade::Codec::digits;
%rename("%s") polyflake::facade::Codec::width;
%rename("%s") polyflake::facade::Codec::check;

%include "sqids.i"
%include "seal.i"
%include "kinds.i"

%rename(NativeLayout) polyflake::facade::Layout;
%rename(NativeLayout) polyflake::facade::Layout::~Layout;
%rename(NativeLayout) polyflake::facade::Layout::Layout(const std::string&);
%rename(text) polyflake::facade::Layout::text;
%rename(fieldNames) polyflake::facade::Layout::field_names;
%rename(fieldWidths) polyflake::facade::Layout::field_widths;
%rename(nodeFields) polyflake::facade::Layout::node_fields;
%rename(tickMs) polyflake::facade::Layout::tick_ms;
%rename(epochMs) polyflake::facade::Layout::epoch_ms;
%rename(encodeTick) polyflake::facade::Layout::encode_tick;
%rename(encodeTime) polyflake::facade::Layout::encode_time;
%rename("%s") polyflake::facade::Layout::decode;
%rename(firstId) polyflake::facade::Layout::first_id;
%rename(lastId) polyflake::facade::Layout::last_id;
%rename("%s") polyflake::facade::Layout::friendly;
%rename(friendlyLocalSeconds) polyflake::facade::Layout::friendly_local_seconds;
%rename(fromFriendly) polyflake::facade::Layout::from_friendly;

%rename(NativeExplanations) polyflake::facade::Explanations;
%rename(NativeExplanations) polyflake::facade::Explanations::~Explanations;
%rename(NativeExplanations) polyflake::facade::Explanations::Explanations(std::uint64_t, std::int64_t);
%rename("%s") polyflake::facade::Explanations::size;
%rename("%s") polyflake::facade::Explanations::preset;
%rename(whyNot) polyflake::facade::Explanations::why_not;
%rename("%s") polyflake::facade::Explanations::fits;
%rename("%s") polyflake::facade::Explanations::parts;
%rename(nodeFields) polyflake::facade::Explanations::node_fields;

%rename(NativeClock) polyflake::facade::ManualClock;
%rename(NativeClock) polyflake::facade::ManualClock::~ManualClock;
%rename(NativeClock) polyflake::facade::ManualClock::ManualClock(std::int64_t);
%rename("%s") polyflake::facade::ManualClock::set;
%rename("%s") polyflake::facade::ManualClock::advance;
%rename(timeMs) polyflake::facade::ManualClock::time_ms;

%rename(NativeOptions) polyflake::facade::Options;
%rename(NativeOptions) polyflake::facade::Options::~Options;
%rename(NativeOptions) polyflake::facade::Options::Options;
%rename(setLayout) polyflake::facade::Options::set_layout;
%rename(setWorkerNumber) polyflake::facade::Options::set_worker_number;
%rename(setWorkerFields) polyflake::facade::Options::set_worker_fields;
%rename(setWorkerText) polyflake::facade::Options::set_worker_text;
%rename(setNumber) polyflake::facade::Options::set_number;
%rename(numberOptionsOf) polyflake::facade::number_options_of;
%rename(spelledForBuilder) polyflake::java::spelled_for_builder;
%rename(setOrdering) polyflake::facade::Options::set_ordering;
%rename(setClock) polyflake::facade::Options::set_clock;
%rename(setWorkerLease) polyflake::facade::Options::set_worker_lease;

%include "leases.i"
%include "counters.i"
%include "tickets.i"

%rename(NativeGeneratorState) polyflake::facade::GeneratorState;
%rename(NativeGeneratorState) polyflake::facade::GeneratorState::~GeneratorState;
%rename("%s") polyflake::facade::GeneratorState::name;
%rename("%s") polyflake::facade::GeneratorState::code;

%rename(NativeGenerator) polyflake::facade::Generator;
%rename(NativeGenerator) polyflake::facade::Generator::~Generator;
%rename(NativeGenerator) polyflake::facade::Generator::Generator(const Options&);
%rename("%s") polyflake::facade::Generator::claim;
%rename(tryClaim) polyflake::facade::Generator::try_claim;
%rename(waitNs) polyflake::facade::Generator::wait_ns;
%rename("%s") polyflake::facade::Generator::renew;
%rename("%s") polyflake::facade::Generator::state;
%rename("%s") polyflake::facade::Generator::close;
%rename("%s") polyflake::facade::Generator::closed;
%rename("%s") polyflake::facade::Generator::worker;
%rename("%s") polyflake::facade::Generator::layout;
%rename("%s") polyflake::facade::Generator::stats;

%include "facade/text.hpp"
%include "facade/codec.hpp"
%include "facade/sqids.hpp"
%include "facade/hashids.hpp"
%include "facade/layout.hpp"
%include "facade/explain.hpp"
%include "facade/lease.hpp"
%include "facade/options.hpp"
%include "facade/error.hpp"
%include "facade/source.hpp"
%include "facade/generator.hpp"
%include "facade/kinds.hpp"
%include "facade/dates.hpp"
%include "facade/counter.hpp"
%include "facade/counted_source.hpp"
%include "facade/counter_list.hpp"
%include "facade/tickets.hpp"
%include "facade/process.hpp"
%include "facade/seal.hpp"

namespace polyflake::java {
std::string spelled_for_builder(const std::string& option);
jint claim_range(JNIEnv* jenv, polyflake::facade::Generator& generator, jlongArray ids, jint from, jint count);
void spell(JNIEnv* jenv, polyflake::facade::Generator& generator, jlongArray positions, jbyteArray ids);
void fill_free(JNIEnv* jenv, polyflake::facade::FreeSource& source, jbyteArray ids);
std::int64_t claim_held(polyflake::facade::CountedSource& source);
std::int64_t claim_next(polyflake::facade::CountedSource& source, std::uint64_t early);
std::int64_t claim_unless_waiting(polyflake::facade::CountedSource& source);
std::int64_t range_words(JNIEnv* jenv, const polyflake::facade::CountedSource& source, jobjectArray words);
jint claim_numbers(JNIEnv* jenv, polyflake::facade::CountedSource& source, jlongArray numbers, jint from, jint count);
}
