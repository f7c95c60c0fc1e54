// The allow-list of Sqids and Hashids: a part of polyflake.i.

%rename(sqidsAlphabet) polyflake::facade::sqids_alphabet;
%rename(defaultBlocklist) polyflake::facade::default_blocklist;
%rename(NativeSqids) polyflake::facade::Sqids;
%rename(NativeSqids) polyflake::facade::Sqids::~Sqids;
%rename(NativeSqids) polyflake::facade::Sqids::Sqids(const std::string&, std::int64_t, bool, const std::vector<std::string>&);
%rename("%s") polyflake::facade::Sqids::encode;
%rename("%s") polyflake::facade::Sqids::decode;
%rename("%s") polyflake::facade::Sqids::alphabet;
%rename(minLength) polyflake::facade::Sqids::min_length;

%rename(hashidsAlphabet) polyflake::facade::hashids_alphabet;
%rename(NativeHashids) polyflake::facade::Hashids;
%rename(NativeHashids) polyflake::facade::Hashids::~Hashids;
%rename(NativeHashids) polyflake::facade::Hashids::Hashids(const std::string&, std::int64_t, const std::string&);
%rename("%s") polyflake::facade::Hashids::encode;
%rename("%s") polyflake::facade::Hashids::decode;
%rename("%s") polyflake::facade::Hashids::alphabet;
%rename(minLength) polyflake::facade::Hashids::min_length;
