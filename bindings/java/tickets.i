// The allow-list of ticket servers: a part of polyflake.i.

%rename(newTicketClient) polyflake::facade::new_ticket_client;

%rename(NativeTicketStep) polyflake::facade::TicketStep;
%rename(NativeTicketStep) polyflake::facade::TicketStep::~TicketStep;
%rename("%s") polyflake::facade::TicketStep::what;
%rename("%s") polyflake::facade::TicketStep::number;
%rename("%s") polyflake::facade::TicketStep::server;
%rename(limitMs) polyflake::facade::TicketStep::limit_ms;

%rename(NativeTicketCall) polyflake::facade::TicketCall;
%rename(NativeTicketCall) polyflake::facade::TicketCall::~TicketCall;
%rename("%s") polyflake::facade::TicketCall::step;
%rename("%s") polyflake::facade::TicketCall::end;

%rename(NativeTicketSession) polyflake::facade::TicketSession;
%rename(NativeTicketSession) polyflake::facade::TicketSession::~TicketSession;

%rename(NativeTicketServers) polyflake::facade::TicketServers;
%rename(NativeTicketServers) polyflake::facade::TicketServers::~TicketServers;
%rename(NativeTicketServers) polyflake::facade::TicketServers::TicketServers(const std::vector<std::string>&, const std::vector<std::string>&, const std::string&, std::int64_t);
%rename("%s") polyflake::facade::TicketServers::call;
%rename("%s") polyflake::facade::TicketServers::session;
%rename("%s") polyflake::facade::TicketServers::stats;
%rename("%s") polyflake::facade::TicketServers::close;
%rename("%s") polyflake::facade::TicketServers::closed;

%rename(NativeTicketRules) polyflake::facade::TicketRules;
%rename(NativeTicketRules) polyflake::facade::TicketRules::~TicketRules;
%rename(NativeTicketRules) polyflake::facade::TicketRules::TicketRules(std::int64_t);
%rename("%s") polyflake::facade::TicketRules::next;
%rename("%s") polyflake::facade::TicketRules::answered;
%rename("%s") polyflake::facade::TicketRules::failed;
