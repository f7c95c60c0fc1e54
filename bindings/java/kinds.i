// Kinds of ids other than snowflake: a part of polyflake.i.

%{
#include "kinds.hpp"
%}

POLYFLAKE_VALUE(polyflake::facade::IdParts, jlongArray, long[])

// Bytes that the facade has as text: arguments of these names, and the results of these functions.
%define POLYFLAKE_TAKES_BYTES(NAME)
%typemap(jni) const std::string& NAME "jbyteArray"
%typemap(jtype) const std::string& NAME "byte[]"
%typemap(jstype) const std::string& NAME "byte[]"
%typemap(in) const std::string& NAME (std::string converted) %{
  if (!polyflake::java::bytes_from_java(jenv, $input, converted)) return $null;
  $1 = &converted;
%}
%enddef
%define POLYFLAKE_RETURNS_BYTES(FUNCTION)
%typemap(jni) std::string FUNCTION "jbyteArray"
%typemap(jtype) std::string FUNCTION "byte[]"
%typemap(jstype) std::string FUNCTION "byte[]"
%typemap(out) std::string FUNCTION %{ $result = polyflake::java::bytes_to_java(jenv, $1); %}
%enddef

POLYFLAKE_TAKES_BYTES(uuid)
POLYFLAKE_TAKES_BYTES(id)
POLYFLAKE_TAKES_BYTES(bytes)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::parse_id)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::first_id)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::last_id)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::parse_uuid)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::layout_to_uuid)

%rename(NativeKindText) polyflake::facade::KindText;
%rename(NativeKindText) polyflake::facade::KindText::~KindText;
%rename("%s") polyflake::facade::KindText::name;
%rename("%s") polyflake::facade::KindText::store;
%rename(hasStore) polyflake::facade::KindText::has_store;
%rename(parseKind) polyflake::facade::parse_kind;
%rename(builtInKinds) polyflake::facade::built_in_kinds;
%rename(checkNewKind) polyflake::facade::check_new_kind;
%rename(parseId) polyflake::facade::parse_id;
%rename(idText) polyflake::facade::id_text;
%rename(decodeId) polyflake::facade::decode_id;
%rename(firstId) polyflake::facade::first_id;
%rename(lastId) polyflake::facade::last_id;
%rename(parseUuid) polyflake::facade::parse_uuid;
%rename(layoutToUuid) polyflake::facade::layout_to_uuid;
%rename(layoutFromUuid) polyflake::facade::layout_from_uuid;

%rename(setKind) polyflake::facade::Options::set_kind;
%rename(setEntropy) polyflake::facade::Options::set_entropy;
%rename(idBytes) polyflake::facade::Generator::id_bytes;
%rename("%s") polyflake::facade::Generator::expect;

%rename(NativeFreeSource) polyflake::facade::FreeSource;
%rename(NativeFreeSource) polyflake::facade::FreeSource::~FreeSource;
%rename(NativeFreeSource) polyflake::facade::FreeSource::FreeSource(const Options&);
%rename("%s") polyflake::facade::FreeSource::close;
%rename("%s") polyflake::facade::FreeSource::closed;
%rename("%s") polyflake::facade::FreeSource::stats;
%rename(idBytes) polyflake::facade::FreeSource::id_bytes;

%rename("%s") polyflake::java::spell;
%rename(fillFree) polyflake::java::fill_free;
