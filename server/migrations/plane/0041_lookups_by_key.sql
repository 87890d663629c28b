-- A row is looked up by its table's key (docs/decisions/0051). A plan that is made while a table is young takes any index that begins
-- with app_id for as good as the key, is kept, and then reads all of an app's rows for each of them. So the other indexes are such
-- that only who names what they are for can use them.
drop index queue_by_key; -- nobody asks for it any more

drop index deliveries_by_endpoint;
create index deliveries_by_endpoint on deliveries (app_id, endpoint_id, delivery_id desc) where endpoint_id is not null;
drop index deliveries_by_event;
create index deliveries_by_event on deliveries (app_id, event_id) where event_id is not null;

drop index events_by_position;
create index events_by_position on events (app_id, xact, event_id) where only_endpoint_id is null;

drop index keys_by_predecessor;
create unique index keys_by_predecessor on keys (app_id, predecessor_id) where predecessor_id is not null;
