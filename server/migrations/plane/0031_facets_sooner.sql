-- A search by facets asks each sealed day, and spent most of its time in planning that: the text of an SQL function is put into
-- the statement and into the expression of the index, and both are simplified and compared, day after day. A function that stays
-- what it is takes a third of it (docs/decisions/0037). It says the same, so the indexes stay as they are.
create or replace function request_facets(app_id uuid, operation_id text, simulated text, duration_us int) returns bigint[]
  language plpgsql immutable parallel safe as $$
begin
  return array_remove(array[
    public.request_facet(app_id, 'operation ' || operation_id),
    case when simulated is not null then public.request_facet(app_id, 'simulated') end,
    case when duration_us >= 1000000 then public.request_facet(app_id, 'duration 1') end,
    case when duration_us >= 3000000 then public.request_facet(app_id, 'duration 3') end,
    case when duration_us >= 10000000 then public.request_facet(app_id, 'duration 10') end], null);
end $$;

-- Slow requests and simulated faults in the hours that have no facets yet: there are few, and without a list of their own all of the
-- app's records are read for them, each on a page of its own.
create index request_records_slow_or_simulated on only request_records (app_id, request_id)
  where simulated is not null or duration_us >= 1000000;
do $$
declare
  leaf regclass;
  name text;
begin
  for leaf in
    select 'request_records_default'::regclass
    union all
    select p.leaf from partition_bounds('request_records') p where not p.is_sealed
  loop
    name := 'request_records_slow_or_simulated' || substr(leaf::text, length('request_records') + 1);
    execute format('create index %I on %s (app_id, request_id) where simulated is not null or duration_us >= 1000000', name, leaf);
    execute format('alter index request_records_slow_or_simulated attach partition %I', name);
  end loop;
end $$;
