-- A stop asks those workers for their word that may send something of its app, and can see who they are (docs/decisions/0039).

-- What an app has in flight, worker by worker.
drop index queue_in_flight;
create index queue_in_flight on queue (worker_id, app_id) where state = 'in_flight';

-- A claim shares this from before it judges until it is committed. Who has had it alone for an instant knows that what was judged
-- before is in the queue for everybody to see, and that what is judged later sees all that was committed before.
create function claims_lock(app_id uuid) returns bigint language sql immutable parallel safe
  return hashtextextended(app_id::text, 75470039);

-- How many requests a worker may have on their way of which no row of the queue tells. Null: one that does not count them, nor
-- shares the lock; such a worker is always asked.
alter table workers add column unqueued int check (unqueued >= 0);
