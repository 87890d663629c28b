-- The list of an app's events under a filter, newest first. Under one filter a page then reads only matching events,
-- however rare they are. Under several, it examines a bounded number of events of one. The indexes are partial, so that no lookup of one event by its identifier is planned with them.
create index events_by_type on events (app_id, type, event_id) where only_endpoint_id is null;
create index events_by_server on events (app_id, server_id, event_id) where only_endpoint_id is null;
create index events_by_subject on events (app_id, subject_id, event_id) where only_endpoint_id is null;
