// Kinds of ids beside the snowflake: a part of polyflake.i.

%{
#include "kinds.hpp"
%}

POLYFLAKE_VALUE(polyflake::facade::Uuid7Parts, jlongArray, long[])
POLYFLAKE_VALUE(polyflake::facade::ObjectIdParts, jlongArray, long[])
POLYFLAKE_VALUE(polyflake::facade::KindText, jobjectArray, String[])

// What the facade has as text though it is bytes: arguments of these names, and what these functions return.
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
POLYFLAKE_TAKES_BYTES(object_id)
POLYFLAKE_TAKES_BYTES(bytes)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::parse_uuid)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::parse_object_id)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::first_uuid7)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::last_uuid7)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::first_object_id)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::last_object_id)
POLYFLAKE_RETURNS_BYTES(polyflake::facade::layout_to_uuid)

%rename(parseKind) polyflake::facade::parse_kind;
%rename(builtInKinds) polyflake::facade::built_in_kinds;
%rename(checkNewKind) polyflake::facade::check_new_kind;
%rename(parseUuid) polyflake::facade::parse_uuid;
%rename(parseObjectId) polyflake::facade::parse_object_id;
%rename(decodeUuid7) polyflake::facade::decode_uuid7;
%rename(decodeObjectId) polyflake::facade::decode_object_id;
%rename(firstUuid7) polyflake::facade::first_uuid7;
%rename(lastUuid7) polyflake::facade::last_uuid7;
%rename(firstObjectId) polyflake::facade::first_object_id;
%rename(lastObjectId) polyflake::facade::last_object_id;
%rename(layoutToUuid) polyflake::facade::layout_to_uuid;
%rename(layoutFromUuid) polyflake::facade::layout_from_uuid;

%rename(setKind) polyflake::facade::Options::set_kind;
%rename(setEntropy) polyflake::facade::Options::set_entropy;
%rename(idBytes) polyflake::facade::Generator::id_bytes;
%rename("%s") polyflake::facade::Generator::expect;

%rename(NativeRandomUuids) polyflake::facade::RandomUuids;
%rename(NativeRandomUuids) polyflake::facade::RandomUuids::~RandomUuids;
%rename(NativeRandomUuids) polyflake::facade::RandomUuids::RandomUuids(const Options&);
%rename("%s") polyflake::facade::RandomUuids::close;
%rename("%s") polyflake::facade::RandomUuids::closed;
%rename("%s") polyflake::facade::RandomUuids::stats;

%rename("%s") polyflake::java::spell;
%rename(fillRandom) polyflake::java::fill_random;
