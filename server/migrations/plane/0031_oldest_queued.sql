-- The oldest so many of what an app has in the queue, by the index that has them in this order, always: the planner may know nothing
-- yet of a backlog, and sorted all of it (200 ms for 300,000).
create function oldest_queued(of_app_id uuid, most int)
  returns table (place tid, endpoint_id uuid, server_id uuid, state text) language sql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
begin atomic
  select q.ctid, q.endpoint_id, q.server_id, q.state from queue q
  where q.app_id = of_app_id order by q.delivery_id limit most;
end;
