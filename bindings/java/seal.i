// The allow-list of private ids: a part of polyflake.i.

%rename(NativeSeal) polyflake::facade::Seal;
%rename(NativeSeal) polyflake::facade::Seal::~Seal;
%rename(NativeSeal) polyflake::facade::Seal::Seal(const Bytes&, const Bytes&, std::int64_t, bool, const std::string&);
%rename(fromFile) polyflake::facade::Seal::from_file;
%rename("%s") polyflake::facade::Seal::seal;
%rename("%s") polyflake::facade::Seal::unseal;
%rename("%s") polyflake::facade::Seal::encode;
%rename("%s") polyflake::facade::Seal::decode;
%rename(encodeMany) polyflake::facade::Seal::encode_many;
%rename(decodeMany) polyflake::facade::Seal::decode_many;

%rename(NativeSeals) polyflake::facade::Seals;
%rename(NativeSeals) polyflake::facade::Seals::~Seals;
%rename(NativeSeals) polyflake::facade::Seals::Seals();
%rename("%s") polyflake::facade::Seals::add;

%rename(NativeSealRing) polyflake::facade::SealRing;
%rename(NativeSealRing) polyflake::facade::SealRing::~SealRing;
%rename(NativeSealRing) polyflake::facade::SealRing::SealRing(const Seals&);
%rename("%s") polyflake::facade::SealRing::seal;
%rename("%s") polyflake::facade::SealRing::unseal;
%rename("%s") polyflake::facade::SealRing::encode;
%rename("%s") polyflake::facade::SealRing::decode;
%rename(encodeMany) polyflake::facade::SealRing::encode_many;
%rename(decodeMany) polyflake::facade::SealRing::decode_many;
