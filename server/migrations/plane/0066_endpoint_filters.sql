-- The filter of an endpoint (docs/decisions/0082). A process of the release before ignores servers and conditions and delivers more;
-- `event_types` keeps all types of an endpoint that receives every type, so that such a process delivers to it.
alter table endpoints
  add column receives_all_types boolean not null default false,
  add column server_ids uuid[] check (cardinality(server_ids) between 1 and 100),
  -- Null for none. The domain model describes the form.
  add column conditions jsonb;
grant select (receives_all_types, server_ids, conditions) on endpoints to slipway_api;
grant update (receives_all_types, server_ids, conditions) on endpoints to slipway_manager;

-- True if the filter withholds the event of a delivery that access holds. Only a claim after the release ends it, because its status would
-- otherwise tell an app about the content of an event that it may not read.
alter table queue add column is_filtered boolean;
