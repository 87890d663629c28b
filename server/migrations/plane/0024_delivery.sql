-- How an endpoint fares, when its rate has room again, and which deliveries wait for an earlier event of their subject.

-- A table of its own: workers write it every few seconds, while people change the endpoint itself.
create table endpoint_health (
  app_id uuid not null,
  endpoint_id uuid not null,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- Since when there was nothing but failures; null after a success.
  failing_since timestamptz,
  consecutive_failures int not null default 0,
  -- Its last attempts, oldest first: 1 succeeded, 0 failed.
  recent text not null default '' check (recent ~ '^[01]{0,100}$'),
  -- Of how many days of failures its organisation was told last, and when.
  warned_days smallint not null default 0 check (warned_days in (0, 1, 3)),
  warned_at timestamptz,
  -- Until when its rate is used up.
  paced_until timestamptz not null default '-infinity',
  primary key (app_id, endpoint_id),
  foreign key (app_id, endpoint_id) references endpoints on delete cascade,
  check ((warned_days = 0) = (warned_at is null))
) with (fillfactor = 50); -- room for updates within the page
create index endpoint_health_failing on endpoint_health (failing_since) where failing_since is not null;
-- The owner sees what row-level security shows it, which is nothing.
alter table endpoints no force row level security;
insert into endpoint_health (app_id, endpoint_id) select app_id, endpoint_id from endpoints;
alter table endpoints force row level security;

alter table endpoint_health enable row level security;
alter table endpoint_health force row level security;
create policy tenant on endpoint_health to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on endpoint_health to slipway_worker using (true) with check (true);
grant select, insert, update (failing_since, consecutive_failures, warned_days, warned_at) on endpoint_health
  to slipway_manager;
grant select, update on endpoint_health to slipway_worker;
call let_erase('endpoint_health');

-- Made with its endpoint, so that a worker never has to: it would wait for whoever deletes the endpoint.
create function tend_endpoint_health() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into endpoint_health (app_id, endpoint_id) values (new.app_id, new.endpoint_id);
  else
    -- What failed before somebody enabled it again is no reason to disable it.
    update endpoint_health set failing_since = null, consecutive_failures = 0, warned_days = 0, warned_at = null
      where app_id = new.app_id and endpoint_id = new.endpoint_id;
  end if;
  return null;
end $$;
create trigger begin_health after insert on endpoints for each row execute function tend_endpoint_health();
create trigger renew_health after update of state on endpoints for each row
  when (old.state = 'disabled' and new.state = 'enabled') execute function tend_endpoint_health();

-- A notice says who added the endpoint, and tells them.
grant select (created_by) on endpoints to slipway_worker;
grant select (is_ordered) on endpoints to slipway_api;

-- Set when the endpoint wants order. A delivery whose subject has an earlier one here is due at infinity, so that no claim
-- meets it; whoever takes the earlier one out of the queue, for whatever reason, lets it go.
alter table queue add column subject_id uuid;
alter table queue add column sequence int;
alter table queue add check ((subject_id is null) = (sequence is null));
create index queue_in_order on queue (endpoint_id, subject_id, sequence) where subject_id is not null;

create function let_next_go() returns trigger language plpgsql as $$
declare over record;
begin
  for over in select distinct endpoint_id, subject_id from gone where subject_id is not null loop
    with first as materialized (
      select app_id, delivery_id from queue where endpoint_id = over.endpoint_id and subject_id = over.subject_id
      order by sequence limit 1),
    -- Passed over when somebody holds it, who may wait for the row that is going here: a worker lets it go soon after.
    free as materialized (
      select q.app_id, q.delivery_id from queue q join first f on f.app_id = q.app_id and f.delivery_id = q.delivery_id
      where q.due_at = 'infinity' for update of q skip locked)
    update queue q set due_at = clock_timestamp()
      from free where q.app_id = free.app_id and q.delivery_id = free.delivery_id;
  end loop;
  return null;
end $$;
create trigger let_next_go after delete on queue referencing old table as gone
  for each statement execute function let_next_go();

-- Notices tell of endpoints too; of the key then, it is the one through which the endpoint delivers.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled'));
alter table notices add column endpoint_id uuid;
-- Not its URL, which may hold a receiver's secret.
alter table notices add column endpoint_host text check (length(endpoint_host) between 1 and 300);
alter table notices add column days_failing smallint check (days_failing in (1, 3));
alter table notices add column disabled_reason text check (length(disabled_reason) between 1 and 200);
alter table notices add check ((kind like 'endpoint%') = (endpoint_id is not null and endpoint_host is not null));
alter table notices add check ((kind = 'endpoint_failing') = (days_failing is not null));
alter table notices add check ((kind = 'endpoint_disabled') = (disabled_reason is not null));
drop index notices_once;
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct
  where endpoint_id is null;
