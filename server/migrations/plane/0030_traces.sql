-- Which request of an app caused an event: a trace goes from there to deliveries and attempts. (The way back is in the
-- event's bytes.)
alter table events add column request_id uuid;
create index events_by_request on events (app_id, request_id) where request_id is not null;
