-- The list of an app's tickets on a server. A page of tickets is cached, so a new ticket also moves the app's activity.
create index tickets_by_server on tickets (app_id, server_id, ticket_id desc);
create trigger revise_on_insert after insert on tickets referencing new table as changed
  for each statement execute function bump_activity();
