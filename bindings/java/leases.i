// The allow-list of leases and their stores: a part of polyflake.i.

%rename(isStoreAddress) polyflake::facade::is_store_address;
%rename(storeFailure) polyflake::facade::store_failure;
%rename(NativeStoreAddress) polyflake::facade::StoreAddress;
%rename(NativeStoreAddress) polyflake::facade::StoreAddress::~StoreAddress;
%rename(NativeStoreAddress) polyflake::facade::StoreAddress::StoreAddress(const std::string&, const std::string&);
%rename("%s") polyflake::facade::StoreAddress::parse;
%rename(parseTicketServer) polyflake::facade::StoreAddress::parse_ticket_server;
%rename("%s") polyflake::facade::StoreAddress::set;
%rename("%s") polyflake::facade::StoreAddress::kind;
%rename("%s") polyflake::facade::StoreAddress::client;
%rename("%s") polyflake::facade::StoreAddress::shown;

%rename(NativeStoreStep) polyflake::facade::StoreStep;
%rename(NativeStoreStep) polyflake::facade::StoreStep::~StoreStep;
%rename("%s") polyflake::facade::StoreStep::what;
%rename("%s") polyflake::facade::StoreStep::number;
%rename("%s") polyflake::facade::StoreStep::name;
%rename(sleepMs) polyflake::facade::StoreStep::sleep_ms;
%rename(partCount) polyflake::facade::StoreStep::part_count;
%rename("%s") polyflake::facade::StoreStep::part;

%rename(NativeStoreSession) polyflake::facade::StoreSession;
%rename("%s") polyflake::facade::StoreSession::step;
%rename("%s") polyflake::facade::StoreSession::deliver;
%rename("%s") polyflake::facade::StoreSession::fail;
%rename(tellOffset) polyflake::facade::StoreSession::tell_offset;
%rename(tellNoOffset) polyflake::facade::StoreSession::tell_no_offset;
%rename("%s") polyflake::facade::StoreSession::setup;

%typemap(javainterfaces) polyflake::facade::Lease "StoreGrant"
%rename(NativeLease) polyflake::facade::Lease;
%rename(NativeLease) polyflake::facade::Lease::~Lease;
%rename(NativeLease) polyflake::facade::Lease::Lease(const StoreAddress&, const std::string&, const std::string&);
%rename("%s") polyflake::facade::Lease::granted;
%rename(raiseFailure) polyflake::facade::Lease::raise_failure;
%rename(acquireTimeoutMs) polyflake::facade::Lease::acquire_timeout_ms;
%rename(commandTimeoutMs) polyflake::facade::Lease::command_timeout_ms;
%rename("%s") polyflake::facade::Lease::hurry;
%rename("%s") polyflake::facade::Lease::release;
%rename("%s") polyflake::facade::Lease::confirmations;
%rename(namespaceUuid) polyflake::facade::Lease::namespace_uuid;
%rename(takeReport) polyflake::facade::Lease::take_report;

%rename(NativeTask) polyflake::facade::NamespaceTask;
%rename(NativeTask) polyflake::facade::NamespaceTask::~NamespaceTask;
%rename("%s") polyflake::facade::NamespaceTask::init;
%rename(raiseFloor) polyflake::facade::NamespaceTask::raise_floor;
%rename("%s") polyflake::facade::NamespaceTask::leases;
%rename("%s") polyflake::facade::NamespaceTask::fence;
%rename(nameCopies) polyflake::facade::NamespaceTask::name_copies;
%rename("%s") polyflake::facade::NamespaceTask::uuid;
%rename("%s") polyflake::facade::NamespaceTask::count;
%rename("%s") polyflake::facade::NamespaceTask::node;
%rename(untilMs) polyflake::facade::NamespaceTask::until_ms;
%rename("%s") polyflake::facade::NamespaceTask::label;
