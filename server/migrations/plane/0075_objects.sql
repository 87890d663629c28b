-- Objects of the resources that an operator's contract declares (docs/decisions/0102): one table, so that a resource needs no migration.
create table objects (
  app_id uuid not null,
  object_id uuid not null,
  kind text not null,
  -- The identifier in the API, in the form that the contract declares.
  key text not null check (length(key) between 1 and 200),
  -- The server whose grants permit access. A contract without servers has one for each app.
  server_id uuid not null,
  parent_id uuid,
  state text,
  data jsonb not null,
  hidden jsonb not null,
  -- Whether requests may change the object.
  is_writable boolean not null,
  request_id uuid,
  event_sequence int not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  primary key (app_id, object_id),
  unique (app_id, kind, key),
  foreign key (app_id, server_id) references servers
);
create index objects_by_kind on objects (app_id, kind, object_id desc);
create index objects_by_parent on objects (app_id, parent_id, kind, object_id desc) where parent_id is not null;
create index objects_by_server on objects (app_id, server_id);
create index objects_due on objects (due_at) where due_at is not null;
call count_revision('objects', 'activity');

-- The last number of identifiers that are integers.
create table object_numbers (
  app_id uuid not null,
  kind text not null,
  last_number bigint not null,
  primary key (app_id, kind)
);

do $$
declare stored regclass;
begin
  foreach stored in array array['objects', 'object_numbers']::regclass[] loop
    execute format('alter table %s enable row level security', stored);
    execute format('alter table %s force row level security', stored);
    execute format('create policy tenant on %s to slipway_api, slipway_manager
      using (app_id = current_app_id()) with check (app_id = current_app_id())', stored);
    execute format('create policy together on %s to slipway_api using (app_id = any ((select current_app_ids())::uuid[]))', stored);
    execute format('create policy whole on %s for select to current_user using (current_setting(''role'') = ''none'')', stored);
    call let_erase(stored);
  end loop;
end $$;
-- Requests change no object of the upstream API.
create policy writable_insert on objects as restrictive for insert to slipway_api with check (is_writable);
create policy writable_update on objects as restrictive for update to slipway_api using (is_writable) with check (is_writable);
create policy writable_delete on objects as restrictive for delete to slipway_api using (is_writable);
create policy everyone on objects for select to slipway_worker using (true);

grant select, insert, delete, update (parent_id, state, data, hidden, event_sequence, due_at) on objects to slipway_api;
grant select, insert, update, delete on objects, object_numbers to slipway_manager;
grant select, insert, update on object_numbers to slipway_api;
grant select (app_id, object_id, kind, due_at) on objects to slipway_worker;
