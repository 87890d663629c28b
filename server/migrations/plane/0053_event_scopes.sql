-- An event that carries a resource needs the grant of the resource's own scope as well as events:read (docs/decisions/0060).

-- Apps that exist keep the earlier rule until it ends for them. An app that any process inserts from now on has the new rule.
alter table apps add column enforces_event_scopes boolean not null default false;
alter table apps alter column enforces_event_scopes set default true;
grant select (enforces_event_scopes) on apps to slipway_api, slipway_worker;
grant update (enforces_event_scopes) on apps to slipway_manager;

create function guard_event_scopes() returns trigger language plpgsql as $$
begin
  raise exception 'an app that enforces the scopes of events cannot go back' using errcode = '23514';
end $$;
create trigger guard_event_scopes before update of enforces_event_scopes on apps for each row
  when (old.enforces_event_scopes and not new.enforces_event_scopes) execute function guard_event_scopes();

-- Pages of events depend on both columns: a page that was read before a change must not be served after it.
create function bump_grants() returns trigger language plpgsql as $$
begin
  insert into revisions as r (app_id, slot, grants)
    values (new.app_id, revision_slot(), pg_current_xact_id()::text::bigint)
  on conflict (app_id, slot) do update set grants = r.grants + 1;
  return null;
end $$;
create trigger revise_grants after update of enforces_event_scopes, approved_scopes on apps for each row
  when (old.enforces_event_scopes is distinct from new.enforces_event_scopes
    or old.approved_scopes is distinct from new.approved_scopes)
  execute function bump_grants();

-- Null in rows of earlier processes, and for an event without a resource: the scope then follows from the event's type.
alter table queue add column resource_scope text;
-- One scan of the queue, which holds only deliveries that have not ended.
drop index queue_held;
create index queue_held on queue (endpoint_id, coalesce(server_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(resource_scope, '')) where state = 'held';
