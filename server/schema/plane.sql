-- The schema of an environment's database (sandbox or production) after all migrations. Do not edit:
-- `npm run schema` writes this file, and server/test/database-schema.test.ts compares it with a migrated database. It is for readers.
-- Databases are made by server/migrations/plane. Above each object are the migrations that define or change it, with their comments.
-- Partitions are left out, because functions and housekeeping make them. server/test/database-grants.txt has the grants of each role.

-- migration 0076
create type capture_content_v1 as (
  app_id uuid,
  key_id uuid,
  content_id bytea,
  ciphertext bytea
);

-- migration 0076
create type capture_v1 as (
  app_id uuid,
  request_id uuid,
  key_id uuid,
  request_body text,
  response_body text,
  content_id bytea,
  ciphertext bytea
);

-- migration 0010
create type request_record_v1 as (
  app_id uuid,
  request_id uuid,
  at timestamptz,
  duration_us integer,
  authority_us integer,
  status smallint,
  problem_code text,
  operation_id text,
  method text,
  path text,
  query text,
  key_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  response_bytes integer,
  error_context jsonb,
  called_by text,
  simulated text
);

-- migration 0026
create type request_record_v2 as (
  app_id uuid,
  request_id uuid,
  at timestamptz,
  duration_us integer,
  authority_us integer,
  operation_us integer,
  status smallint,
  problem_code text,
  operation_id text,
  method text,
  path text,
  query text,
  key_id uuid,
  server_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  parent_span_id bytea,
  request_bytes integer,
  response_bytes integer,
  error_context jsonb,
  called_by text,
  simulated text,
  idempotency_hash bytea,
  is_replayed boolean,
  parent_request_id uuid
);

-- migration 0033
create type request_record_v3 as (
  app_id uuid,
  request_id uuid,
  at timestamptz,
  duration_us integer,
  authority_us integer,
  operation_us integer,
  status smallint,
  problem_code text,
  operation_id text,
  method text,
  path text,
  query text,
  key_id uuid,
  server_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  parent_span_id bytea,
  request_bytes integer,
  response_bytes integer,
  error_context jsonb,
  called_by text,
  simulated text,
  idempotency_hash bytea,
  is_replayed boolean,
  parent_request_id uuid,
  stored_answer_of uuid,
  called_by_token uuid
);

-- migration 0047
create type settled_attempt_v1 as (
  app_id uuid,
  delivery_id uuid,
  attempt_no smallint,
  next text,
  delay_ms bigint,
  started_at timestamptz,
  duration_us bigint,
  outcome text,
  status smallint,
  detail text,
  response_headers jsonb,
  response_body text,
  is_body_cut boolean
);

-- migration 0056
create type settled_attempt_v2 as (
  app_id uuid,
  delivery_id uuid,
  attempt_no smallint,
  next text,
  delay_ms bigint,
  started_at timestamptz,
  duration_us bigint,
  outcome text,
  status smallint,
  detail text,
  response_headers jsonb,
  response_body text,
  is_body_cut boolean,
  url text
);

-- migration 0067
create type settled_attempt_v3 as (
  app_id uuid,
  delivery_id uuid,
  attempt_no smallint,
  next text,
  delay_ms bigint,
  started_at timestamptz,
  duration_us bigint,
  outcome text,
  status smallint,
  detail text,
  response_headers jsonb,
  response_body text,
  is_body_cut boolean,
  url text,
  key_id uuid
);

-- migrations 0001, 0013, 0015, 0020, 0038, 0053, 0055, 0061, 0064, 0074, 0076
create table apps (
  app_id uuid not null,
  organisation_id uuid not null,
  name text not null,
  state text default 'active' not null,
  created_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  organisation_standing text default 'active' not null,
  erase_at timestamptz,
  erased_at timestamptz,
  approved_scopes text[] default array['servers:read', 'publications:read', 'events:read', 'roadmap:read', 'tickets:create', 'workflows:run'] not null,
  max_servers integer,
  live_standing text default 'active' not null,
  live_version bigint default 0 not null,
  standing text generated always as (
  case
      when erase_at is not null or (organisation_standing = any (array['deleting', 'erasing'])) then 'deleting'
      when state = 'suspended' or organisation_standing = 'suspended' or live_standing <> 'active' then 'suspended'
      else 'active'
  end) stored not null,
  enforces_event_scopes boolean default true not null,
  event_scopes_warned_at timestamptz,
  captures_since timestamptz,
  constraint apps_pkey primary key (app_id),
  constraint apps_approved_scopes_check check (are_scopes(approved_scopes)) not valid,
  constraint apps_check check (erased_at is null or erase_at is not null),
  constraint apps_live_standing_check check (live_standing = any (array['active', 'suspended', 'revoked'])),
  constraint apps_max_servers_check check (max_servers > 0),
  constraint apps_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint apps_state_check check (state = any (array['active', 'suspended']))
);
create index apps_by_organisation on apps (organisation_id, app_id desc);
create index apps_to_erase on apps (erase_at) where erase_at is not null;
create trigger await_mutations before delete or update of state, organisation_standing, erase_at, live_standing, approved_scopes on apps for each row execute function await_mutations('app_id');
create trigger destroy_capture_keys after update of captures_since on apps for each row when (old.captures_since is not null and new.captures_since is null) execute function destroy_capture_keys();
create trigger guard_event_scopes before update of enforces_event_scopes on apps for each row when (old.enforces_event_scopes and not new.enforces_event_scopes) execute function guard_event_scopes();
create trigger join_organisation before insert on apps for each row execute function join_organisation();
create trigger note_event_scopes after update of enforces_event_scopes on apps for each row when (new.enforces_event_scopes and not old.enforces_event_scopes) execute function note_revocation('app.event_scopes');
create trigger note_revocation after update on apps for each row when (new.state = 'suspended' and old.state <> 'suspended' or new.organisation_standing <> 'active' and old.organisation_standing = 'active' or new.live_standing <> 'active' and old.live_standing = 'active' or new.erase_at is not null and old.erase_at is null) execute function note_revocation();
create trigger revise_access after update of state, organisation_standing, erase_at, live_standing, approved_scopes on apps for each row execute function bump_access();
create trigger revise_captures after update of captures_since on apps for each row execute function bump_access();
create trigger revise_grants after update of enforces_event_scopes, approved_scopes on apps for each row when (old.enforces_event_scopes is distinct from new.enforces_event_scopes or old.approved_scopes is distinct from new.approved_scopes) execute function bump_grants();
alter table apps enable row level security;
alter table apps force row level security;
create policy erasing on apps to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on apps for select to slipway_authority, slipway_worker using (true);
create policy organisation on apps to slipway_manager using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy tenant on apps to slipway_api using (app_id = current_app_id());
create policy together on apps to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on apps for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0056, 0067
create table attempts (
  app_id uuid not null,
  delivery_id uuid not null,
  attempt_no smallint not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  outcome text not null,
  status smallint,
  detail text,
  response_headers jsonb,
  response_body text,
  is_body_cut boolean default false not null,
  url text,
  key_id uuid,
  constraint attempts_pkey primary key (app_id, delivery_id, attempt_no)
) partition by range (delivery_id);
alter table attempts enable row level security;
alter table attempts force row level security;
create policy erasing on attempts to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on attempts to slipway_worker using (true) with check (true);
create policy tenant on attempts to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on attempts for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0018
create table audit_entries (
  organisation_id uuid not null,
  audit_id uuid not null,
  app_id uuid,
  at timestamptz default clock_timestamp() not null,
  actor text not null,
  action text not null,
  target text not null,
  detail json not null,
  actor_kind text not null,
  actor_id text,
  request_id text,
  client_address text,
  sequence bigint not null,
  previous_hash bytea,
  hash bytea not null,
  constraint audit_entries_pkey primary key (organisation_id, audit_id),
  constraint audit_entries_organisation_id_sequence_key unique (organisation_id, sequence),
  constraint audit_entries_actor_kind_check check (actor_kind = any (array['person', 'token', 'machine', 'operator'])),
  constraint audit_entries_check check ((sequence = 1) = (previous_hash is null)),
  constraint audit_entries_hash_check check (length(hash) = 32),
  constraint audit_entries_previous_hash_check check (length(previous_hash) = 32)
);
create index audit_entries_by_time on audit_entries (organisation_id, at desc, sequence desc);
create trigger chain before insert on audit_entries for each row execute function chain_audit_entry();
create trigger keep before delete or update on audit_entries for each row execute function keep_audited();
create trigger keep_all before truncate on audit_entries for each statement execute function keep_audited();
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy organisation on audit_entries to public using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy whole on audit_entries for select to current_user using (current_setting('role') = 'none');

-- migrations 0018, 0054
create table audit_heads (
  organisation_id uuid not null,
  sequence bigint not null,
  at timestamptz not null,
  hash bytea,
  erased_at timestamptz,
  constraint audit_heads_pkey primary key (organisation_id),
  constraint audit_heads_hash_check check (length(hash) = 32),
  constraint audit_heads_sequence_check check (sequence > 0)
) with (fillfactor=50);
alter table audit_heads enable row level security;
alter table audit_heads force row level security;
create policy newest on audit_heads for select to current_user using (current_setting('slipway.asks', true) = 'console');
create policy organisation on audit_heads to public using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy whole on audit_heads for select to current_user using (current_setting('role') = 'none');

-- migration 0076
create unlogged table capture_contents (
  app_id uuid not null,
  key_id uuid not null,
  content_id bytea not null,
  ciphertext bytea not null,
  constraint capture_contents_pkey primary key (app_id, key_id, content_id)
);
alter table capture_contents enable row level security;
alter table capture_contents force row level security;
create policy erasing on capture_contents to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on capture_contents to slipway_worker using (true);
create policy recorder on capture_contents to slipway_recorder using (true) with check (true);
create policy tenant on capture_contents for select to slipway_manager using (app_id = current_app_id());
create policy whole on capture_contents for select to current_user using (current_setting('role') = 'none');

-- migration 0076
create unlogged table capture_gaps (
  app_id uuid not null,
  minute timestamptz not null,
  refused bigint not null,
  constraint capture_gaps_pkey primary key (app_id, minute)
);
create index capture_gaps_by_age on capture_gaps (minute);
alter table capture_gaps enable row level security;
alter table capture_gaps force row level security;
create policy erasing on capture_gaps to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on capture_gaps to slipway_worker using (true);
create policy recorder on capture_gaps to slipway_recorder using (true) with check (true);
create policy tenant on capture_gaps for select to slipway_manager using (app_id = current_app_id());
create policy whole on capture_gaps for select to current_user using (current_setting('role') = 'none');

-- migrations 0076, 0080
create unlogged table capture_keys (
  app_id uuid not null,
  key_id uuid not null,
  hour timestamptz not null,
  sealed_key bytea,
  expires_at timestamptz not null,
  captures_since timestamptz,
  constraint capture_keys_pkey primary key (app_id, key_id)
);
create index capture_keys_by_expiry on capture_keys (expires_at) where sealed_key is not null;
create unique index capture_keys_by_hour on capture_keys (app_id, hour) where sealed_key is not null;
create index capture_keys_destroyed on capture_keys (key_id) where sealed_key is null;
alter table capture_keys enable row level security;
alter table capture_keys force row level security;
create policy erasing on capture_keys to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on capture_keys to slipway_worker using (true);
create policy recorder on capture_keys to slipway_recorder using (true) with check (true);
create policy tenant on capture_keys for select to slipway_manager using (app_id = current_app_id());
create policy tenant_destroys on capture_keys for update to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id() and sealed_key is null);
create policy whole on capture_keys for select to current_user using (current_setting('role') = 'none');

-- migration 0076
create unlogged table captures (
  app_id uuid not null,
  request_id uuid not null,
  key_id uuid not null,
  request_body text not null,
  response_body text not null,
  content_id bytea,
  ciphertext bytea not null,
  constraint captures_pkey primary key (app_id, request_id),
  constraint captures_request_body_check check (request_body = any (array['none', 'whole', 'masked', 'cut', 'not_text'])),
  constraint captures_response_body_check check (response_body = any (array['none', 'whole', 'masked', 'cut', 'not_text']))
);
create index captures_by_key on captures (app_id, key_id);
alter table captures enable row level security;
alter table captures force row level security;
create policy erasing on captures to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on captures to slipway_worker using (true);
create policy recorder on captures to slipway_recorder using (true) with check (true);
create policy tenant on captures for select to slipway_manager using (app_id = current_app_id());
create policy whole on captures for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0007, 0021, 0041
create table deliveries (
  app_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  key_id uuid not null,
  server_id uuid,
  trigger text not null,
  status text not null,
  reason text,
  created_at timestamptz default clock_timestamp() not null,
  finished_at timestamptz,
  schema_version smallint,
  redelivery_of uuid,
  redelivered_as uuid,
  redelivery_id uuid,
  is_redeliverable boolean generated always as ((status = any (array['failed', 'skipped', 'cancelled'])) and redelivered_as is null) stored not null,
  constraint deliveries_pkey primary key (app_id, delivery_id),
  constraint deliveries_status_check check (status = any (array['pending', 'held', 'succeeded', 'failed', 'cancelled', 'skipped'])),
  constraint deliveries_trigger_check check (trigger = any (array['scheduled', 'manual', 'replay', 'test']))
) partition by range (delivery_id);
create index deliveries_by_endpoint on deliveries (app_id, endpoint_id, delivery_id desc) where endpoint_id is not null;
create index deliveries_by_event on deliveries (app_id, event_id) where event_id is not null;
create index deliveries_by_redelivery on deliveries (app_id, redelivery_id, delivery_id desc) where redelivery_id is not null;
create index deliveries_redeliverable on deliveries (app_id, event_id, delivery_id) where is_redeliverable;
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy erasing on deliveries to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on deliveries to slipway_worker using (true) with check (true);
create policy tenant on deliveries to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on deliveries to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on deliveries for select to current_user using (current_setting('role') = 'none');

-- migrations 0007, 0071, 0084
create table deprecated_uses (
  app_id uuid not null,
  deprecation_id text not null,
  day date not null,
  uses bigint not null,
  last_used_at timestamptz not null,
  newest_request_ids uuid[] default '{}'::uuid[] not null,
  constraint deprecated_uses_pkey primary key (app_id, deprecation_id, day),
  constraint deprecated_uses_newest_request_ids_check check (cardinality(newest_request_ids) <= 5)
);
alter table deprecated_uses enable row level security;
alter table deprecated_uses force row level security;
create policy erasing on deprecated_uses to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on deprecated_uses for select to slipway_worker using (true);
create policy housekeeping on deprecated_uses for delete to slipway_worker using (true);
create policy recorder on deprecated_uses to slipway_recorder using (true) with check (true);
create policy tenant on deprecated_uses for select to slipway_manager using (app_id = current_app_id());
create policy whole on deprecated_uses for select to current_user using (current_setting('role') = 'none');

-- migration 0071
create table deprecation_answers (
  app_id uuid not null,
  deprecation_id text not null,
  snoozed_until date,
  answered_at timestamptz default clock_timestamp() not null,
  answered_by text not null,
  constraint deprecation_answers_pkey primary key (app_id, deprecation_id),
  constraint deprecation_answers_answered_by_check check (length(answered_by) >= 1 and length(answered_by) <= 320)
);
alter table deprecation_answers enable row level security;
alter table deprecation_answers force row level security;
create policy erasing on deprecation_answers to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on deprecation_answers to slipway_worker using (true) with check (true);
create policy tenant on deprecation_answers to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on deprecation_answers for select to current_user using (current_setting('role') = 'none');

-- migration 0071
create table deprecation_stages (
  app_id uuid not null,
  deprecation_id text not null,
  days_ahead smallint not null,
  written_at timestamptz default clock_timestamp() not null,
  constraint deprecation_stages_pkey primary key (app_id, deprecation_id, days_ahead),
  constraint deprecation_stages_days_ahead_check check (days_ahead = any (array[0, 90, 30, 7]))
);
alter table deprecation_stages enable row level security;
alter table deprecation_stages force row level security;
create policy erasing on deprecation_stages to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on deprecation_stages to slipway_worker using (true) with check (true);
create policy whole on deprecation_stages for select to current_user using (current_setting('role') = 'none');

-- migration 0023
create table drills (
  app_id uuid not null,
  drill_id uuid not null,
  endpoint_id uuid not null,
  status text default 'running' not null,
  reason text,
  steps jsonb not null,
  claim_no integer default 0 not null,
  due_at timestamptz default clock_timestamp() not null,
  created_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  finished_at timestamptz,
  constraint drills_pkey primary key (app_id, drill_id),
  constraint drills_check check ((status = 'stopped') = (reason is not null)),
  constraint drills_check1 check ((status = 'running') = (finished_at is null)),
  constraint drills_status_check check (status = any (array['running', 'completed', 'stopped'])),
  constraint drills_app_id_endpoint_id_fkey foreign key (app_id, endpoint_id) references endpoints(app_id, endpoint_id) on delete cascade
);
create index drills_by_endpoint on drills (app_id, endpoint_id, drill_id desc);
create index drills_due on drills (due_at) where status = 'running';
create unique index drills_running on drills (app_id, endpoint_id) where status = 'running';
alter table drills enable row level security;
alter table drills force row level security;
create policy erasing on drills to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on drills to slipway_worker using (true) with check (true);
create policy tenant on drills to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on drills for select to current_user using (current_setting('role') = 'none');

-- migrations 0024, 0070
create table endpoint_health (
  app_id uuid not null,
  endpoint_id uuid not null,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  failing_since timestamptz,
  consecutive_failures integer default 0 not null,
  recent text default '' not null,
  warned_days smallint default 0 not null,
  warned_at timestamptz,
  paced_until timestamptz default '-infinity'::timestamptz not null,
  constraint endpoint_health_pkey primary key (app_id, endpoint_id),
  constraint endpoint_health_check check ((warned_days = 0) = (warned_at is null)),
  constraint endpoint_health_recent_check check (recent ~ '^[01]{0,100}$'),
  constraint endpoint_health_warned_days_check check (warned_days = any (array[0, 1, 3])),
  constraint endpoint_health_app_id_endpoint_id_fkey foreign key (app_id, endpoint_id) references endpoints(app_id, endpoint_id) on delete cascade
) with (fillfactor=50);
create index endpoint_health_failing on endpoint_health (failing_since) where failing_since is not null;
create index endpoint_health_warned on endpoint_health (endpoint_id) where warned_days > 0;
alter table endpoint_health enable row level security;
alter table endpoint_health force row level security;
create policy erasing on endpoint_health to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on endpoint_health to slipway_worker using (true) with check (true);
create policy tenant on endpoint_health to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on endpoint_health for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0007, 0012, 0019, 0022, 0024, 0057, 0066, 0067, 0071, 0079
create table endpoints (
  app_id uuid not null,
  endpoint_id uuid not null,
  key_id uuid not null,
  url text not null,
  description text not null,
  event_types text[] not null,
  state text default 'enabled' not null,
  disabled_reason text,
  sealed_secret bytea not null,
  created_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  schema_versions jsonb default '{}'::jsonb not null,
  rate_per_second smallint,
  is_ordered boolean default false not null,
  schedule_speed smallint default 1 not null,
  sealed_headers bytea,
  header_names text[] default '{}'::text[] not null,
  sealed_previous_secret bytea,
  previous_secret_ends_at timestamptz,
  secret_rotated_at timestamptz,
  schedule_changed_at timestamptz,
  receives_all_types boolean default false not null,
  server_ids uuid[],
  conditions jsonb,
  further_key_ids uuid[],
  min_epoch bigint,
  constraint endpoints_pkey primary key (app_id, endpoint_id),
  constraint endpoints_check check ((sealed_headers is null) = (header_names = '{}'::text[])),
  constraint endpoints_check1 check (sealed_previous_secret is null or previous_secret_ends_at is not null),
  constraint endpoints_check2 check ((previous_secret_ends_at is null) = (secret_rotated_at is null)),
  constraint endpoints_check3 check (previous_secret_ends_at <= (secret_rotated_at + '7 days'::interval)),
  constraint endpoints_event_types_check check (cardinality(event_types) >= 1 and cardinality(event_types) <= 50),
  constraint endpoints_further_key_ids_check check (cardinality(further_key_ids) >= 1 and cardinality(further_key_ids) <= 4),
  constraint endpoints_header_names_check check (cardinality(header_names) <= 10),
  constraint endpoints_rate_per_second_check check (rate_per_second >= 1 and rate_per_second <= 1000),
  constraint endpoints_schedule_speed_check check (schedule_speed = any (array[1, 60, 3600])),
  constraint endpoints_server_ids_check check (cardinality(server_ids) >= 1 and cardinality(server_ids) <= 100),
  constraint endpoints_state_check check (state = any (array['enabled', 'disabled'])),
  constraint endpoints_url_check check (length(url) >= 8 and length(url) <= 2048),
  constraint endpoints_app_id_fkey foreign key (app_id) references apps(app_id),
  constraint endpoints_app_id_key_id_fkey foreign key (app_id, key_id) references keys(app_id, key_id)
);
create index endpoints_with_changed_schedule on endpoints (schedule_changed_at) where schedule_changed_at is not null;
create index endpoints_with_two_secrets on endpoints (previous_secret_ends_at) where sealed_previous_secret is not null;
create trigger begin_health after insert on endpoints for each row execute function tend_endpoint_health();
create trigger note_changed_schedule before update of schedule_speed on endpoints for each row when (old.schedule_speed <> new.schedule_speed) execute function note_changed_schedule();
create trigger renew_health after update of state on endpoints for each row when (old.state = 'disabled' and new.state = 'enabled') execute function tend_endpoint_health();
alter table endpoints enable row level security;
alter table endpoints force row level security;
create policy erasing on endpoints to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on endpoints to slipway_worker using (true) with check (true);
create policy tenant on endpoints to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on endpoints to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on endpoints for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0005, 0007, 0019, 0030, 0041, 0050, 0068
create table events (
  app_id uuid not null,
  event_id uuid not null,
  type text not null,
  schema_version smallint not null,
  server_id uuid,
  subject_type text not null,
  subject_id uuid not null,
  sequence integer not null,
  body text not null,
  xact xid8 default pg_current_xact_id() not null,
  created_at timestamptz default clock_timestamp() not null,
  older_bodies text[] default '{}'::text[] not null,
  only_endpoint_id uuid,
  request_id uuid,
  actor text default nullif(current_setting('slipway.actor', true), ''),
  constraint events_pkey primary key (app_id, event_id)
) partition by range (event_id);
create index events_by_position on events (app_id, xact, event_id) where only_endpoint_id is null;
create index events_by_request on events (app_id, request_id) where request_id is not null;
create index events_by_server on events (app_id, server_id, event_id) where only_endpoint_id is null;
create index events_by_subject on events (app_id, subject_id, event_id) where only_endpoint_id is null;
create index events_by_type on events (app_id, type, event_id) where only_endpoint_id is null;
create trigger revise_on_delete after delete on events referencing old table as changed for each statement execute function bump_activity();
create trigger revise_on_insert after insert on events referencing new table as changed for each statement execute function bump_activity();
create trigger revise_on_update after update on events referencing new table as changed for each statement execute function bump_activity();
alter table events enable row level security;
alter table events force row level security;
create policy erasing on events to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on events to slipway_worker using (true) with check (true);
create policy tenant on events to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on events to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on events for select to current_user using (current_setting('role') = 'none');

-- migration 0009
create table faults (
  app_id uuid not null,
  fault_id uuid not null,
  operation_id text,
  share double precision not null,
  latency_ms integer,
  problem_code text,
  is_reset boolean not null,
  is_enabled boolean default true not null,
  created_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  constraint faults_pkey primary key (app_id, fault_id),
  constraint faults_check check (latency_ms is not null or problem_code is not null or is_reset),
  constraint faults_check1 check (problem_code is null or not is_reset),
  constraint faults_latency_ms_check check (latency_ms >= 1 and latency_ms <= 30000),
  constraint faults_share_check check (share >= 0::double precision and share <= 1::double precision),
  constraint faults_app_id_fkey foreign key (app_id) references apps(app_id)
);
create trigger revise_on_delete after delete on faults referencing old table as changed for each statement execute function bump_revision('faults');
create trigger revise_on_insert after insert on faults referencing new table as changed for each statement execute function bump_revision('faults');
create trigger revise_on_update after update on faults referencing new table as changed for each statement execute function bump_revision('faults');
alter table faults enable row level security;
alter table faults force row level security;
create policy erasing on faults to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on faults to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on faults for select to current_user using (current_setting('role') = 'none');

-- migration 0039
create table forwarded_mutations (
  app_id uuid not null,
  key_hash bytea not null,
  request_hash bytea not null,
  started_at timestamptz default clock_timestamp() not null,
  leased_until timestamptz not null,
  constraint forwarded_mutations_pkey primary key (app_id, key_hash),
  constraint forwarded_mutations_key_hash_check check (length(key_hash) = 32),
  constraint forwarded_mutations_request_hash_check check (length(request_hash) = 32)
);
create index forwarded_mutations_by_age on forwarded_mutations (started_at);
alter table forwarded_mutations enable row level security;
alter table forwarded_mutations force row level security;
create policy erasing on forwarded_mutations to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on forwarded_mutations to slipway_worker using (true);
create policy tenant on forwarded_mutations to slipway_api using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on forwarded_mutations for select to current_user using (current_setting('role') = 'none');

-- migration 0058
create table grant_uses (
  app_id uuid not null,
  server_id uuid not null,
  scope text not null,
  used_on date not null,
  constraint grant_uses_pkey primary key (app_id, server_id, scope)
) with (fillfactor=70);
create index grant_uses_by_day on grant_uses (used_on);
alter table grant_uses enable row level security;
alter table grant_uses force row level security;
create policy erasing on grant_uses to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on grant_uses to slipway_worker using (true) with check (true);
create policy recorder on grant_uses to slipway_recorder using (true) with check (true);
create policy tenant on grant_uses for select to slipway_manager using (app_id = current_app_id());
create policy whole on grant_uses for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0011, 0033
create table idempotency_keys (
  app_id uuid not null,
  key_hash bytea not null,
  request_hash bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz default clock_timestamp() not null,
  location text,
  request_id uuid,
  constraint idempotency_keys_pkey primary key (app_id, key_hash),
  constraint idempotency_keys_key_hash_check check (length(key_hash) = 32),
  constraint idempotency_keys_request_hash_check check (length(request_hash) = 32)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy erasing on idempotency_keys to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on idempotency_keys to slipway_worker using (true);
create policy tenant on idempotency_keys to slipway_api using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on idempotency_keys to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on idempotency_keys for select to current_user using (current_setting('role') = 'none');

-- migration 0040
create table ingested_events (
  app_id uuid not null,
  source_hash bytea not null,
  event_id uuid,
  at timestamptz default clock_timestamp() not null,
  constraint ingested_events_pkey primary key (app_id, source_hash),
  constraint ingested_events_source_hash_check check (length(source_hash) = 32)
);
create index ingested_events_by_age on ingested_events (at);
alter table ingested_events enable row level security;
alter table ingested_events force row level security;
create policy erasing on ingested_events to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on ingested_events to slipway_worker using (true);
create policy tenant on ingested_events to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on ingested_events for select to current_user using (current_setting('role') = 'none');

-- migrations 0017, 0074
create table installation_changes (
  app_id uuid not null,
  change_id uuid default new_change_id() not null,
  at timestamptz default clock_timestamp() not null,
  server_id uuid not null,
  installation_id uuid not null,
  scopes text[],
  from_state text,
  to_state text,
  actor text default nullif(current_setting('slipway.actor', true), ''),
  reason text default nullif(current_setting('slipway.reason', true), ''),
  request_id uuid default nullif(current_setting('slipway.request_id', true), '')::uuid,
  constraint installation_changes_pkey primary key (app_id, change_id),
  constraint installation_changes_check check (from_state is distinct from to_state),
  constraint installation_changes_from_state_check check (from_state = any (array['authorised', 'paused', 'revoked'])),
  constraint installation_changes_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint installation_changes_scopes_check check (cardinality(scopes) >= 1 and cardinality(scopes) <= 1000) not valid,
  constraint installation_changes_to_state_check check (to_state = any (array['authorised', 'paused', 'revoked']))
);
create index installation_changes_by_server on installation_changes (app_id, server_id, change_id desc);
alter table installation_changes enable row level security;
alter table installation_changes force row level security;
create policy erasing on installation_changes to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on installation_changes to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on installation_changes for select to current_user using (current_setting('role') = 'none');

-- migrations 0052, 0062, 0063, 0072, 0074
create table installation_restrictions (
  app_id uuid not null,
  server_id uuid not null,
  scope text not null,
  state text not null,
  at timestamptz default clock_timestamp() not null,
  actor text default nullif(current_setting('slipway.actor', true), ''),
  reason text default nullif(current_setting('slipway.reason', true), ''),
  constraint installation_restrictions_pkey primary key (app_id, server_id, scope),
  constraint installation_restrictions_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint installation_restrictions_scope_check check (scope = '*' or are_scopes(array[scope])) not valid,
  constraint installation_restrictions_state_check check (state = any (array['paused', 'revoked'])),
  constraint installation_restrictions_app_id_server_id_fkey foreign key (app_id, server_id) references upstream_installations(app_id, server_id)
);
create trigger apply_changed_restrictions after update on installation_restrictions referencing new table as changed for each statement execute function apply_restrictions();
create trigger apply_new_restrictions after insert on installation_restrictions referencing new table as changed for each statement execute function apply_restrictions();
create trigger note_changed_restriction after update on installation_restrictions for each row when (new.state = 'revoked' and old.state <> 'revoked') execute function note_revocation();
create trigger note_new_restriction after insert on installation_restrictions for each row execute function note_revocation();
create trigger revise_on_delete after delete on installation_restrictions referencing old table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_insert after insert on installation_restrictions referencing new table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_update after update on installation_restrictions referencing new table as changed for each statement execute function bump_revision('grants');
alter table installation_restrictions enable row level security;
alter table installation_restrictions force row level security;
create policy erasing on installation_restrictions to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on installation_restrictions for select to slipway_worker using (true);
create policy tenant on installation_restrictions to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on installation_restrictions to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on installation_restrictions for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0014, 0029, 0052, 0055, 0074
create table installation_scopes (
  app_id uuid not null,
  grant_id uuid not null,
  installation_id uuid not null,
  scope text not null,
  state text default 'authorised' not null,
  created_at timestamptz default clock_timestamp() not null,
  changed_at timestamptz default clock_timestamp() not null,
  since_epoch bigint default 0 not null,
  constraint installation_scopes_pkey primary key (app_id, grant_id),
  constraint installation_scopes_scope_check check (are_scopes(array[scope])) not valid,
  constraint installation_scopes_state_check check (state = any (array['authorised', 'paused', 'revoked'])),
  constraint installation_scopes_app_id_installation_id_fkey foreign key (app_id, installation_id) references installations(app_id, installation_id)
);
create index installation_scopes_by_scope on installation_scopes (app_id, installation_id, scope, grant_id desc);
create unique index installation_scopes_live on installation_scopes (app_id, installation_id, scope) where state <> 'revoked';
create trigger apply_limits before insert or update on installation_scopes for each row execute function apply_scope_limits();
create trigger await_mutations before delete or update of state on installation_scopes for each row execute function await_mutations_on_server();
create trigger guard_grant before update on installation_scopes for each row execute function guard_grant();
create trigger keep_order after insert on installation_scopes referencing new table as added for each statement execute function refuse_scopes_of_the_past();
create trigger note_revocation after update on installation_scopes for each row when (new.state <> 'authorised' and new.state is distinct from old.state) execute function note_revocation();
create trigger record_delete after delete on installation_scopes referencing old table as changed for each statement execute function record_installation_scopes();
create trigger record_insert after insert on installation_scopes referencing new table as changed for each statement execute function record_installation_scopes();
create trigger record_update after update on installation_scopes referencing old table as before_change new table as changed for each statement execute function record_installation_scopes();
create trigger revise_on_delete after delete on installation_scopes referencing old table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_insert after insert on installation_scopes referencing new table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_update after update on installation_scopes referencing new table as changed for each statement execute function bump_revision('grants');
alter table installation_scopes enable row level security;
alter table installation_scopes force row level security;
create policy erasing on installation_scopes to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on installation_scopes for select to slipway_worker using (true);
create policy tenant on installation_scopes to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on installation_scopes to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on installation_scopes for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0006, 0014, 0038, 0052, 0055
create table installations (
  app_id uuid not null,
  installation_id uuid not null,
  server_id uuid not null,
  state text default 'authorised' not null,
  created_at timestamptz default clock_timestamp() not null,
  changed_at timestamptz default clock_timestamp() not null,
  event_sequence integer default 0 not null,
  is_over_cap boolean default false not null,
  constraint installations_pkey primary key (app_id, installation_id),
  constraint installations_state_check check (state = any (array['authorised', 'paused', 'revoked'])),
  constraint installations_app_id_fkey foreign key (app_id) references apps(app_id),
  constraint installations_app_id_server_id_fkey foreign key (app_id, server_id) references servers(app_id, server_id)
);
create index installations_by_server on installations (app_id, server_id, installation_id desc);
create unique index installations_live on installations (app_id, server_id) where state <> 'revoked';
create index installations_over_cap on installations (app_id, installation_id) where is_over_cap;
create trigger apply_limits before insert or update on installations for each row execute function apply_limits();
create trigger await_mutations before delete or update of state on installations for each row execute function await_mutations('server_id');
create trigger guard_grant before update on installations for each row execute function guard_grant();
create trigger keep_order after insert on installations referencing new table as added for each statement execute function refuse_installations_of_the_past();
create trigger note_revocation after update on installations for each row when (new.state <> 'authorised' and new.state is distinct from old.state) execute function note_revocation();
create trigger record_delete after delete on installations referencing old table as changed for each statement execute function record_installations();
create trigger record_insert after insert on installations referencing new table as changed for each statement execute function record_installations();
create trigger record_update after update on installations referencing old table as before_change new table as changed for each statement execute function record_installations();
create trigger revise_on_delete after delete on installations referencing old table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_insert after insert on installations referencing new table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_update after update on installations referencing new table as changed for each statement execute function bump_revision('grants');
alter table installations enable row level security;
alter table installations force row level security;
create policy erasing on installations to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on installations for select to slipway_worker using (true);
create policy tenant on installations to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on installations to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on installations for select to current_user using (current_setting('role') = 'none');

-- migration 0058
create table key_scope_uses (
  app_id uuid not null,
  key_id uuid not null,
  scope text not null,
  day date not null,
  uses bigint not null,
  constraint key_scope_uses_pkey primary key (app_id, key_id, scope, day)
) with (fillfactor=70);
create index key_scope_uses_by_day on key_scope_uses (day);
alter table key_scope_uses enable row level security;
alter table key_scope_uses force row level security;
create policy erasing on key_scope_uses to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on key_scope_uses to slipway_worker using (true) with check (true);
create policy recorder on key_scope_uses to slipway_recorder using (true) with check (true);
create policy tenant on key_scope_uses for select to slipway_manager using (app_id = current_app_id());
create policy whole on key_scope_uses for select to current_user using (current_setting('role') = 'none');

-- migration 0012
create table key_uses (
  app_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  client_address text,
  constraint key_uses_pkey primary key (app_id, key_id)
) with (fillfactor=70);
alter table key_uses enable row level security;
alter table key_uses force row level security;
create policy erasing on key_uses to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on key_uses to slipway_worker using (true);
create policy recorder on key_uses to slipway_recorder using (true) with check (true);
create policy tenant on key_uses for select to slipway_manager using (app_id = current_app_id());
create policy whole on key_uses for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0012, 0015, 0016, 0020, 0038, 0041, 0055, 0074
create table keys (
  app_id uuid not null,
  key_id uuid not null,
  kid text collate "C" not null,
  verifier bytea not null,
  pepper_version smallint not null,
  name text not null,
  scopes text[] not null,
  state text default 'active' not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text,
  note text,
  predecessor_id uuid,
  ends_at timestamptz,
  allowed_cidrs cidr[],
  constraint keys_pkey primary key (app_id, key_id),
  constraint keys_kid_key unique (kid),
  constraint keys_allowed_cidrs_check check (cardinality(allowed_cidrs) >= 1 and cardinality(allowed_cidrs) <= 20),
  constraint keys_check check (expires_at > created_at and expires_at <= (created_at + '30 days'::interval)),
  constraint keys_check1 check ((state = 'revoked') = (revoked_at is not null)),
  constraint keys_check2 check (predecessor_id <> key_id),
  constraint keys_kid_check check (kid ~ '^[0-9A-Za-z]{12}$'),
  constraint keys_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint keys_note_check check (length(note) >= 1 and length(note) <= 500),
  constraint keys_scopes_check check (cardinality(scopes) >= 1 and are_scopes(scopes)) not valid,
  constraint keys_state_check check (state = any (array['active', 'revoked'])),
  constraint keys_verifier_check check (length(verifier) = 32),
  constraint keys_app_id_fkey foreign key (app_id) references apps(app_id),
  constraint keys_app_id_predecessor_id_fkey foreign key (app_id, predecessor_id) references keys(app_id, key_id)
);
create index keys_by_expiry on keys (expires_at);
create unique index keys_by_predecessor on keys (app_id, predecessor_id) where predecessor_id is not null;
create trigger await_mutations before delete or update of state on keys for each row execute function await_mutations('key_id');
create trigger guard_allowed_cidrs before update of allowed_cidrs on keys for each row execute function guard_allowed_cidrs();
create trigger guard_key before insert or update on keys for each row execute function guard_key();
create trigger guard_verifier before update of verifier, pepper_version on keys for each row execute function guard_verifier();
create trigger note_revocation after update of state, ends_at on keys for each row when (new.state = 'revoked' and old.state <> 'revoked' or new.ends_at is distinct from old.ends_at and new.ends_at is not null) execute function note_revocation();
create trigger revise_access after insert or delete or update on keys for each row execute function bump_access();
alter table keys enable row level security;
alter table keys force row level security;
create policy erasing on keys to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on keys for select to slipway_authority, slipway_worker using (true);
create policy tenant on keys to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on keys to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on keys for select to current_user using (current_setting('role') = 'none');

-- migrations 0015, 0024, 0042, 0060, 0061, 0067, 0070, 0071
create table notices (
  organisation_id uuid not null,
  notice_id uuid not null,
  app_id uuid not null,
  key_id uuid not null,
  kind text not null,
  days_ahead smallint,
  app_name text not null,
  key_name text not null,
  kid text not null,
  key_created_by text not null,
  expires_at timestamptz not null,
  found_at text,
  created_at timestamptz default clock_timestamp() not null,
  read_at timestamptz,
  read_by text,
  taken_at timestamptz,
  endpoint_id uuid,
  endpoint_host text,
  days_failing smallint,
  disabled_reason text,
  operation_id text,
  request_id uuid,
  page_origin text,
  page_slot smallint,
  is_mail_due boolean default false not null,
  withheld_events integer,
  withheld_deliveries integer,
  delivery_id uuid,
  server_id uuid,
  server_name text,
  deprecation jsonb,
  constraint notices_pkey primary key (organisation_id, notice_id),
  constraint notices_check check ((kind = 'key_expires') = (days_ahead is not null)),
  constraint notices_check1 check ((read_at is null) = (read_by is null)),
  constraint notices_check3 check ((kind = 'endpoint_failing') = (days_failing is not null)),
  constraint notices_check4 check ((kind = 'endpoint_disabled') = (disabled_reason is not null)),
  constraint notices_days_ahead_check check (days_ahead = any (array[1, 7])),
  constraint notices_days_failing_check check (days_failing = any (array[1, 3])),
  constraint notices_delivery_check check ((kind = 'delivery_exhausted') = (delivery_id is not null)) not valid,
  constraint notices_deprecation_check check ((kind = 'deprecation_announced') = (deprecation is not null)) not valid,
  constraint notices_disabled_reason_check check (length(disabled_reason) >= 1 and length(disabled_reason) <= 200),
  constraint notices_endpoint_check check ((kind ~~ 'endpoint%' or kind = 'delivery_exhausted') = (endpoint_id is not null and endpoint_host is not null)) not valid,
  constraint notices_endpoint_host_check check (length(endpoint_host) >= 1 and length(endpoint_host) <= 300),
  constraint notices_event_scopes_check check ((kind = 'event_scopes') = (withheld_events is not null and withheld_deliveries is not null) and withheld_events > 0 and withheld_deliveries >= 0) not valid,
  constraint notices_found_at_check check (length(found_at) >= 1 and length(found_at) <= 2048),
  constraint notices_installation_check check ((kind ~~ 'installation%') = (server_id is not null and server_name is not null)) not valid,
  constraint notices_kind_check check (kind = any (array['key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser', 'event_scopes', 'endpoint_keys_end', 'endpoint_recovered', 'delivery_exhausted', 'installation_paused', 'installation_revoked', 'deprecation_announced'])) not valid,
  constraint notices_page_check check ((kind = 'key_in_browser') = (page_slot is not null) and page_slot >= 1 and page_slot <= 5 and (page_origin is null or page_slot is not null and length(page_origin) >= 1 and length(page_origin) <= 255)) not valid,
  constraint notices_platform_check check ((kind = 'platform_failing') = (operation_id is not null and request_id is not null)) not valid,
  constraint notices_server_name_check check (length(server_name) >= 1 and length(server_name) <= 100),
  constraint notices_app_id_key_id_fkey foreign key (app_id, key_id) references keys(app_id, key_id) on delete cascade
);
create index notices_by_age on notices (created_at);
create index notices_mail_due on notices (notice_id) where is_mail_due;
create unique index notices_of_deliveries_once on notices (app_id, endpoint_id, date_trunc('hour', (created_at at time zone 'UTC'))) where kind = 'delivery_exhausted';
create unique index notices_of_installations_once on notices (app_id, server_id, kind, date_trunc('hour', (created_at at time zone 'UTC'))) where server_id is not null;
create unique index notices_of_last_keys_once on notices (app_id, endpoint_id, key_id) where kind = 'endpoint_keys_end';
create unique index notices_of_pages_bounded on notices (app_id, key_id, (timezone('UTC', created_at)::date), page_slot) where page_slot is not null;
create unique index notices_of_pages_once on notices (app_id, key_id, (timezone('UTC', created_at)::date), page_origin) nulls not distinct where page_slot is not null;
create unique index notices_of_platform_once on notices (app_id, (timezone('UTC', created_at)::date)) where request_id is not null;
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct where endpoint_id is null and request_id is null and page_slot is null and server_id is null and deprecation is null;
create index notices_untaken on notices (notice_id) where taken_at is null;
alter table notices enable row level security;
alter table notices force row level security;
create policy console_reads on notices for select to slipway_manager using (current_setting('slipway.asks', true) = 'console');
create policy console_takes on notices for update to slipway_manager using (current_setting('slipway.asks', true) = 'console');
create policy erasing on notices to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on notices to slipway_worker using (true) with check (true);
create policy organisation on notices to slipway_manager using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy whole on notices for select to current_user using (current_setting('role') = 'none');

-- migration 0075
create table object_numbers (
  app_id uuid not null,
  kind text not null,
  last_number bigint not null,
  constraint object_numbers_pkey primary key (app_id, kind)
);
alter table object_numbers enable row level security;
alter table object_numbers force row level security;
create policy erasing on object_numbers to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on object_numbers to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on object_numbers to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on object_numbers for select to current_user using (current_setting('role') = 'none');

-- migrations 0075, 0077, 0082
create table objects (
  app_id uuid not null,
  object_id uuid not null,
  kind text not null,
  key text not null,
  server_id uuid not null,
  parent_id uuid,
  state text,
  data jsonb not null,
  hidden jsonb not null,
  is_writable boolean not null,
  request_id uuid,
  event_sequence integer default 0 not null,
  due_at timestamptz,
  created_at timestamptz not null,
  constraint objects_pkey primary key (app_id, object_id),
  constraint objects_app_id_kind_key_key unique (app_id, kind, key),
  constraint objects_key_check check (length(key) >= 1 and length(key) <= 200),
  constraint objects_app_id_server_id_fkey foreign key (app_id, server_id) references servers(app_id, server_id)
);
alter table objects alter column parent_id set (n_distinct=-0.5);
create index objects_by_kind on objects (app_id, kind, object_id desc);
create index objects_by_parent on objects (app_id, parent_id, kind, object_id desc) where parent_id is not null;
create index objects_by_server on objects (app_id, server_id);
create index objects_due on objects (due_at) where due_at is not null;
create trigger revise_on_delete after delete on objects referencing old table as changed for each statement execute function bump_revision('activity');
create trigger revise_on_insert after insert on objects referencing new table as changed for each statement execute function bump_revision('activity');
create trigger revise_on_update after update on objects referencing new table as changed for each statement execute function bump_revision('activity');
alter table objects enable row level security;
alter table objects force row level security;
create policy erasing on objects to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on objects for select to slipway_worker using (true);
create policy tenant on objects to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on objects to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on objects for select to current_user using (current_setting('role') = 'none');
create policy writable_delete on objects as restrictive for delete to slipway_api using (is_writable or current_setting('role') <> 'slipway_api');
create policy writable_insert on objects as restrictive for insert to slipway_api with check (is_writable or current_setting('role') <> 'slipway_api');
create policy writable_update on objects as restrictive for update to slipway_api using (is_writable or current_setting('role') <> 'slipway_api') with check (is_writable or current_setting('role') <> 'slipway_api');

-- migrations 0013, 0027
create table organisations (
  organisation_id uuid not null,
  standing text default 'active' not null,
  version bigint default 0 not null,
  max_apps integer,
  max_keys_per_app integer,
  max_endpoints_per_app integer,
  max_request_days integer,
  constraint organisations_pkey primary key (organisation_id),
  constraint organisations_max_apps_check check (max_apps >= 0),
  constraint organisations_max_endpoints_per_app_check check (max_endpoints_per_app >= 0),
  constraint organisations_max_keys_per_app_check check (max_keys_per_app >= 0),
  constraint organisations_max_request_days_check check (max_request_days >= 1 and max_request_days <= 3650),
  constraint organisations_standing_check check (standing = any (array['active', 'suspended', 'deleting', 'erasing']))
);
alter table organisations enable row level security;
alter table organisations force row level security;
create policy everyone on organisations for select to slipway_worker using (true);
create policy organisation on organisations to slipway_manager using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy whole on organisations for select to current_user using (current_setting('role') = 'none');

-- migration 0074
create table plane_contract (
  is_only boolean default true not null,
  name text not null,
  hash text not null,
  document json not null,
  stored_at timestamptz default clock_timestamp() not null,
  constraint plane_contract_pkey primary key (is_only),
  constraint plane_contract_hash_check check (length(hash) = 64),
  constraint plane_contract_is_only_check check (is_only)
);

-- migrations 0001, 0037, 0051, 0054, 0055, 0058
create table plane_state (
  is_only boolean default true not null,
  restore_epoch uuid default gen_random_uuid() not null,
  environment text,
  closed_at timestamptz,
  closed_because text,
  lease_at timestamptz,
  lease_until timestamptz,
  console_head jsonb,
  journal_line bigint,
  journal_mac text,
  counts_scopes_since date,
  constraint plane_state_pkey primary key (is_only),
  constraint plane_state_check check ((closed_at is null) = (closed_because is null)),
  constraint plane_state_check1 check ((journal_line is null) = (journal_mac is null)),
  constraint plane_state_closed_because_check check (closed_because = any (array['restored', 'regressed'])),
  constraint plane_state_environment_check check (environment = any (array['sandbox', 'production'])),
  constraint plane_state_is_only_check check (is_only)
);

-- migrations 0002, 0081
create table publications (
  app_id uuid not null,
  publication_id uuid not null,
  server_id uuid not null,
  channel text not null,
  title text not null,
  body_markdown text not null,
  status text not null,
  author text not null,
  tags text[] not null,
  published_at timestamptz,
  created_at timestamptz not null,
  event_sequence integer default 0 not null,
  constraint publications_pkey primary key (app_id, publication_id),
  constraint publications_check check ((status = 'draft') = (published_at is null)),
  constraint publications_status_check check (status = any (array['draft', 'scheduled', 'published', 'archived'])),
  constraint publications_app_id_server_id_fkey foreign key (app_id, server_id) references servers(app_id, server_id)
);
create index publications_by_server on publications (app_id, server_id, publication_id desc);
create trigger revise_on_delete after delete on publications referencing old table as changed for each statement execute function bump_revision('publications');
create trigger revise_on_insert after insert on publications referencing new table as changed for each statement execute function bump_revision('publications');
create trigger revise_on_update after update on publications referencing new table as changed for each statement execute function bump_revision('publications');
alter table publications enable row level security;
alter table publications force row level security;
create policy erasing on publications to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on publications to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on publications for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0013, 0021, 0024, 0025, 0028, 0029, 0045, 0053, 0066
create table queue (
  app_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  key_id uuid not null,
  server_id uuid,
  state text default 'waiting' not null,
  due_at timestamptz default clock_timestamp() not null,
  attempt_no smallint default 0 not null,
  worker_id uuid,
  claimed_at timestamptz,
  redelivery_id uuid,
  subject_id uuid,
  sequence integer,
  epoch bigint,
  trigger text,
  schema_version smallint,
  resource_scope text,
  is_filtered boolean,
  constraint queue_pkey primary key (app_id, delivery_id),
  constraint queue_check check ((subject_id is null) = (sequence is null)),
  constraint queue_state_check check (state = any (array['waiting', 'held', 'in_flight']))
) with (fillfactor=70);
create index queue_behind on queue (endpoint_id, subject_id, sequence) where due_at = 'infinity'::timestamptz;
create index queue_by_redelivery on queue (app_id, redelivery_id, state, attempt_no) where redelivery_id is not null;
create index queue_due on queue (endpoint_id, due_at) where state = 'waiting';
create index queue_held on queue (endpoint_id, coalesce(server_id, '00000000-0000-0000-0000-000000000000'::uuid), coalesce(resource_scope, '')) where state = 'held';
create index queue_in_flight on queue (worker_id, app_id) where state = 'in_flight';
create index queue_in_order on queue (endpoint_id, subject_id, sequence) where subject_id is not null;
create trigger let_next_go after delete on queue referencing old table as gone for each statement execute function let_next_go();
alter table queue enable row level security;
alter table queue force row level security;
create policy erasing on queue to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on queue to slipway_worker using (true) with check (true);
create policy tenant on queue to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on queue to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on queue for select to current_user using (current_setting('role') = 'none');

-- migration 0004
create unlogged table rate_buckets (
  app_id uuid not null,
  key_id uuid not null,
  tokens double precision not null,
  taken integer not null,
  at timestamptz not null,
  constraint rate_buckets_pkey primary key (app_id, key_id)
) with (fillfactor=50);
alter table rate_buckets enable row level security;
alter table rate_buckets force row level security;
create policy erasing on rate_buckets to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on rate_buckets to slipway_authority using (true) with check (true);
create policy idle on rate_buckets to slipway_worker using (true);
create policy whole on rate_buckets for select to current_user using (current_setting('role') = 'none');

-- migration 0073
create table receipt_keys (
  key_id text not null,
  public_key bytea not null,
  created_at timestamptz default clock_timestamp() not null,
  constraint receipt_keys_pkey primary key (key_id),
  constraint receipt_keys_key_id_check check (length(key_id) = 43),
  constraint receipt_keys_public_key_check check (length(public_key) = 32)
);

-- migrations 0026, 0049
create table record_gaps (
  app_id uuid not null,
  minute timestamptz not null,
  lost bigint not null,
  constraint record_gaps_pkey primary key (app_id, minute)
);
create index record_gaps_by_age on record_gaps (minute);
alter table record_gaps enable row level security;
alter table record_gaps force row level security;
create policy erasing on record_gaps to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on record_gaps to slipway_worker using (true);
create policy recorder on record_gaps to slipway_recorder using (true) with check (true);
create policy tenant on record_gaps for select to slipway_manager using (app_id = current_app_id());
create policy whole on record_gaps for select to current_user using (current_setting('role') = 'none');

-- migrations 0021, 0049, 0078
create table redeliveries (
  app_id uuid not null,
  redelivery_id uuid not null,
  state text default 'running' not null,
  endpoint_id uuid,
  event_type text,
  statuses text[] not null,
  reason text,
  since timestamptz not null,
  until timestamptz,
  rate_per_second smallint not null,
  total integer not null,
  is_total_exact boolean not null,
  done integer default 0 not null,
  skipped integer default 0 not null,
  after_event_id uuid not null,
  after_delivery_id uuid not null,
  due_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  finished_by text,
  finished_at timestamptz,
  constraint redeliveries_pkey primary key (app_id, redelivery_id),
  constraint redeliveries_check check (until > since),
  constraint redeliveries_check1 check ((state = any (array['cancelled', 'finished'])) = (finished_at is not null)),
  constraint redeliveries_rate_per_second_check check (rate_per_second >= 1 and rate_per_second <= 1000),
  constraint redeliveries_state_check check (state = any (array['running', 'paused', 'cancelled', 'finished'])),
  constraint redeliveries_statuses_check check (cardinality(statuses) > 0 and statuses <@ array['failed', 'skipped', 'cancelled', 'pending']) not valid,
  constraint redeliveries_total_check check (total > 0),
  constraint redeliveries_app_id_fkey foreign key (app_id) references apps(app_id)
);
create index redeliveries_by_age on redeliveries (finished_at) where finished_at is not null;
create index redeliveries_due on redeliveries (due_at) where due_at is not null;
alter table redeliveries enable row level security;
alter table redeliveries force row level security;
create policy everyone on redeliveries to slipway_worker using (true);
create policy tenant on redeliveries to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on redeliveries for select to current_user using (current_setting('role') = 'none');

-- migration 0036
create unlogged table relays (
  app_id uuid not null,
  relay_id uuid not null,
  endpoint_id uuid not null,
  request bytea not null,
  epoch bigint not null,
  made_at timestamptz default clock_timestamp() not null,
  taken_at timestamptz,
  answer jsonb,
  constraint relays_pkey primary key (app_id, relay_id),
  constraint relays_check check (answer is null or taken_at is not null),
  constraint relays_app_id_endpoint_id_fkey foreign key (app_id, endpoint_id) references endpoints(app_id, endpoint_id) on delete cascade
);
create index relays_by_endpoint on relays (app_id, endpoint_id, relay_id);
alter table relays enable row level security;
alter table relays force row level security;
create policy erasing on relays to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on relays to slipway_worker using (true) with check (true);
create policy tenant on relays to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on relays for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0008, 0009, 0026, 0033
create table request_records (
  app_id uuid not null,
  request_id uuid not null,
  at timestamptz not null,
  duration_us integer not null,
  authority_us integer not null,
  status smallint,
  problem_code text,
  operation_id text,
  method text not null,
  path text not null,
  query text,
  key_id uuid,
  server_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  response_bytes integer not null,
  error_context jsonb,
  called_by text,
  simulated text,
  operation_us integer,
  request_bytes integer,
  parent_span_id bytea,
  idempotency_hash bytea,
  is_replayed boolean,
  parent_request_id uuid,
  stored_answer_of uuid,
  called_by_token uuid,
  constraint request_records_pkey primary key (app_id, request_id),
  constraint request_records_check check (status is not null or simulated is not null)
) partition by range (request_id);
create index request_records_key on request_records (key_id, request_id);
create index request_records_parent on request_records (app_id, parent_request_id, request_id) where parent_request_id is not null;
create index request_records_server on request_records (server_id, request_id) where server_id is not null;
create index request_records_slow_or_simulated on request_records (app_id, request_id) where simulated is not null or duration_us >= 1000000;
create index request_records_status on request_records (app_id, status, request_id) where status >= 400;
create index request_records_trace on request_records (trace_id) where trace_id is not null;
alter table request_records enable row level security;
alter table request_records force row level security;
create policy erasing on request_records to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy recorder on request_records for insert to slipway_recorder with check (true);
create policy tenant on request_records for select to slipway_manager using (app_id = current_app_id());
create policy whole on request_records for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0005, 0009, 0011, 0020
create table revisions (
  app_id uuid not null,
  slot smallint not null,
  grants bigint default 0 not null,
  servers bigint default 0 not null,
  publications bigint default 0 not null,
  roadmap bigint default 0 not null,
  workflows bigint default 0 not null,
  activity bigint default 0 not null,
  faults bigint default 0 not null,
  access bigint default 0 not null,
  constraint revisions_pkey primary key (app_id, slot),
  constraint revisions_slot_check check (slot >= 0 and slot <= 4)
) with (fillfactor=50);
alter table revisions enable row level security;
alter table revisions force row level security;
create policy erasing on revisions to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on revisions for select to slipway_authority using (true);
create policy organisation on revisions to slipway_manager using ((app_id in ( select apps.app_id
     from apps))) with check ((app_id in ( select apps.app_id
     from apps)));
create policy tenant on revisions to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on revisions to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on revisions for select to current_user using (current_setting('role') = 'none');

-- migration 0073
create table revocation_receipts (
  organisation_id uuid not null,
  receipt_id uuid not null,
  app_id uuid not null,
  request_id text,
  keys jsonb not null,
  grants jsonb not null,
  created_at timestamptz default clock_timestamp() not null,
  jws text,
  signed_at timestamptz,
  constraint revocation_receipts_pkey primary key (organisation_id, receipt_id),
  constraint revocation_receipts_check check ((jws is null) = (signed_at is null))
);
create index revocation_receipts_unsigned on revocation_receipts (created_at) where jws is null;
create trigger keep_signed before update on revocation_receipts for each row execute function keep_signed();
alter table revocation_receipts enable row level security;
alter table revocation_receipts force row level security;
create policy everyone on revocation_receipts to slipway_worker using (true) with check (true);
create policy organisation on revocation_receipts to public using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy whole on revocation_receipts for select to current_user using (current_setting('role') = 'none');

-- migration 0055
create table revocations (
  revocation_id bigint generated always as identity not null,
  line jsonb not null,
  at timestamptz default clock_timestamp() not null,
  constraint revocations_pkey primary key (revocation_id)
);

-- migrations 0002, 0081
create table roadmap_items (
  app_id uuid not null,
  roadmap_item_id uuid not null,
  server_id uuid not null,
  title text not null,
  description text not null,
  status text not null,
  category text not null,
  "position" integer not null,
  vote_count integer not null,
  target_quarter text,
  created_at timestamptz not null,
  event_sequence integer default 0 not null,
  constraint roadmap_items_pkey primary key (app_id, roadmap_item_id),
  constraint roadmap_items_position_check check ("position" >= 0),
  constraint roadmap_items_status_check check (status = any (array['idea', 'planned', 'in_progress', 'shipped', 'declined'])),
  constraint roadmap_items_target_quarter_check check (target_quarter ~ '^\d{4}-Q[1-4]$'),
  constraint roadmap_items_vote_count_check check (vote_count >= 0),
  constraint roadmap_items_app_id_server_id_fkey foreign key (app_id, server_id) references servers(app_id, server_id)
);
create index roadmap_items_by_server on roadmap_items (app_id, server_id, roadmap_item_id desc);
create trigger revise_on_delete after delete on roadmap_items referencing old table as changed for each statement execute function bump_revision('roadmap');
create trigger revise_on_insert after insert on roadmap_items referencing new table as changed for each statement execute function bump_revision('roadmap');
create trigger revise_on_update after update on roadmap_items referencing new table as changed for each statement execute function bump_revision('roadmap');
alter table roadmap_items enable row level security;
alter table roadmap_items force row level security;
create policy erasing on roadmap_items to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on roadmap_items to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on roadmap_items for select to current_user using (current_setting('role') = 'none');

-- migration 0032
create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz default clock_timestamp() not null,
  constraint schema_migrations_pkey primary key (version)
);

-- migrations 0001, 0006
create table servers (
  app_id uuid not null,
  server_id uuid not null,
  name text not null,
  slug text not null,
  description text not null,
  icon_url text not null,
  locale text not null,
  timezone text not null,
  member_count integer not null,
  created_at timestamptz not null,
  event_sequence integer default 0 not null,
  constraint servers_pkey primary key (app_id, server_id),
  constraint servers_member_count_check check (member_count >= 0),
  constraint servers_app_id_fkey foreign key (app_id) references apps(app_id)
);
create trigger revise_on_delete after delete on servers referencing old table as changed for each statement execute function bump_revision('servers');
create trigger revise_on_insert after insert on servers referencing new table as changed for each statement execute function bump_revision('servers');
create trigger revise_on_update after update on servers referencing new table as changed for each statement execute function bump_revision('servers');
alter table servers enable row level security;
alter table servers force row level security;
create policy erasing on servers to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on servers to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on servers to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on servers for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0029
create table stop_epochs (
  app_id uuid not null,
  epoch bigint not null,
  constraint stop_epochs_pkey primary key (app_id)
);
alter table stop_epochs enable row level security;
alter table stop_epochs force row level security;
create policy erasing on stop_epochs to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on stop_epochs to slipway_worker using (true) with check (true);
create policy tenant on stop_epochs to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on stop_epochs to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on stop_epochs for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0019
create table stops (
  stop_id uuid not null,
  worker_id uuid not null,
  app_id uuid not null,
  key_id uuid,
  server_id uuid,
  epoch bigint not null,
  endpoint_id uuid,
  constraint stops_pkey primary key (worker_id, stop_id),
  constraint stops_worker_id_fkey foreign key (worker_id) references workers(worker_id) on delete cascade
);

-- migration 0040
create table subject_sequences (
  app_id uuid not null,
  subject_id uuid not null,
  last integer not null,
  constraint subject_sequences_pkey primary key (app_id, subject_id)
);
alter table subject_sequences enable row level security;
alter table subject_sequences force row level security;
create policy erasing on subject_sequences to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on subject_sequences to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on subject_sequences for select to current_user using (current_setting('role') = 'none');

-- migration 0001
create table ticket_numbers (
  app_id uuid not null,
  server_id uuid not null,
  last_number integer not null,
  constraint ticket_numbers_pkey primary key (app_id, server_id)
) with (fillfactor=50);
alter table ticket_numbers enable row level security;
alter table ticket_numbers force row level security;
create policy erasing on ticket_numbers to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on ticket_numbers to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on ticket_numbers to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on ticket_numbers for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0005, 0006, 0011, 0065
create table tickets (
  app_id uuid not null,
  ticket_id uuid not null,
  server_id uuid not null,
  number integer not null,
  subject text not null,
  body text not null,
  category text not null,
  priority text not null,
  status text default 'open' not null,
  requester jsonb not null,
  labels text[] not null,
  metadata jsonb not null,
  event_sequence integer default 0 not null,
  created_at timestamptz default clock_timestamp() not null,
  constraint tickets_pkey primary key (app_id, ticket_id),
  constraint tickets_app_id_server_id_number_key unique (app_id, server_id, number),
  constraint tickets_status_check check (status = any (array['open', 'pending', 'resolved', 'closed'])),
  constraint tickets_app_id_server_id_fkey foreign key (app_id, server_id) references servers(app_id, server_id)
);
create index tickets_by_server on tickets (app_id, server_id, ticket_id desc);
create index tickets_open on tickets (app_id, ticket_id desc) where status <> 'closed';
create trigger revise_on_delete after delete on tickets referencing old table as changed for each statement execute function bump_activity();
create trigger revise_on_insert after insert on tickets referencing new table as changed for each statement execute function bump_activity();
create trigger revise_on_update after update on tickets referencing new table as changed for each statement execute function bump_activity();
alter table tickets enable row level security;
alter table tickets force row level security;
create policy erasing on tickets to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on tickets to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on tickets to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on tickets for select to current_user using (current_setting('role') = 'none');

-- migrations 0026, 0049
create table unproved_counts (
  hour timestamptz not null,
  network text not null,
  problem_code text not null,
  requests bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint unproved_counts_pkey primary key (hour, network, problem_code)
) with (fillfactor=70);
alter table unproved_counts enable row level security;
alter table unproved_counts force row level security;
create policy console_reads on unproved_counts for select to slipway_manager using (current_setting('slipway.asks', true) = 'console');
create policy everyone on unproved_counts to slipway_worker using (true);
create policy recorder on unproved_counts to slipway_recorder using (true) with check (true);
create policy whole on unproved_counts for select to current_user using (current_setting('role') = 'none');

-- migration 0026
create table unproved_requests (
  request_id uuid not null,
  at timestamptz not null,
  duration_us integer not null,
  status smallint not null,
  problem_code text,
  operation_id text,
  method text,
  path text,
  client_address text,
  user_agent text,
  request_bytes integer,
  constraint unproved_requests_pkey primary key (request_id)
);
alter table unproved_requests enable row level security;
alter table unproved_requests force row level security;
create policy console_reads on unproved_requests for select to slipway_manager using (current_setting('slipway.asks', true) = 'console');
create policy everyone on unproved_requests to slipway_worker using (true);
create policy recorder on unproved_requests for insert to slipway_recorder with check (true);
create policy whole on unproved_requests for select to current_user using (current_setting('role') = 'none');

-- migrations 0040, 0083
create table upstream_failures (
  hour timestamptz not null,
  operation_id text not null,
  kind text not null,
  count integer not null,
  last_at timestamptz not null,
  request_id uuid not null,
  status integer,
  status_of uuid,
  constraint upstream_failures_pkey primary key (hour, operation_id)
);
alter table upstream_failures enable row level security;
alter table upstream_failures force row level security;
create policy console on upstream_failures for select to slipway_manager using (current_setting('slipway.asks', true) = 'console');
create policy everyone on upstream_failures to slipway_worker using (true) with check (true);
create policy whole on upstream_failures for select to current_user using (current_setting('role') = 'none');

-- migrations 0040, 0052, 0059
create table upstream_installations (
  app_id uuid not null,
  server_id uuid not null,
  version bigint not null,
  state text,
  scopes jsonb,
  stated_version bigint,
  is_over_cap boolean default false not null,
  constraint upstream_installations_pkey primary key (app_id, server_id),
  constraint upstream_installations_state check (state = any (array['authorised', 'paused', 'revoked'])) not valid
);
create index upstream_installations_over_cap on upstream_installations (app_id, server_id) where is_over_cap;
create trigger keep_statement_cap before insert or update on upstream_installations for each row execute function keep_statement_cap();
create trigger revise_on_delete after delete on upstream_installations referencing old table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_insert after insert on upstream_installations referencing new table as changed for each statement execute function bump_revision('grants');
create trigger revise_on_update after update on upstream_installations referencing new table as changed for each statement execute function bump_revision('grants');
alter table upstream_installations enable row level security;
alter table upstream_installations force row level security;
create policy erasing on upstream_installations to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on upstream_installations to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on upstream_installations to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on upstream_installations for select to current_user using (current_setting('role') = 'none');

-- migrations 0001, 0028, 0048
create table workers (
  worker_id uuid not null,
  beat bigint default 0 not null,
  started_at timestamptz default clock_timestamp() not null,
  beat_at timestamptz default clock_timestamp() not null,
  share_lock boolean,
  unqueued integer,
  lease_ms integer,
  constraint workers_pkey primary key (worker_id),
  constraint workers_lease_ms_check check (lease_ms > 0),
  constraint workers_unqueued_check check (unqueued >= 0)
);

-- migrations 0003, 0005, 0006, 0069
create table workflow_runs (
  app_id uuid not null,
  workflow_run_id uuid not null,
  workflow_id uuid not null,
  server_id uuid not null,
  status text default 'queued' not null,
  input jsonb not null,
  output jsonb,
  steps jsonb not null,
  request_id uuid,
  event_sequence integer default 0 not null,
  created_at timestamptz default clock_timestamp() not null,
  finished_at timestamptz,
  due_at timestamptz,
  constraint workflow_runs_pkey primary key (app_id, workflow_run_id),
  constraint workflow_runs_check check ((due_at is null) = (status = any (array['succeeded', 'failed']))),
  constraint workflow_runs_check1 check ((finished_at is null) = (due_at is not null)),
  constraint workflow_runs_status_check check (status = any (array['queued', 'running', 'succeeded', 'failed'])),
  constraint workflow_runs_app_id_workflow_id_fkey foreign key (app_id, workflow_id) references workflows(app_id, workflow_id)
);
create index workflow_runs_by_server on workflow_runs (app_id, server_id, workflow_run_id desc);
create index workflow_runs_by_workflow on workflow_runs (app_id, workflow_id);
create index workflow_runs_due on workflow_runs (due_at) where due_at is not null;
create trigger revise_on_delete after delete on workflow_runs referencing old table as changed for each statement execute function bump_activity();
create trigger revise_on_update after update on workflow_runs referencing new table as changed for each statement execute function bump_activity();
alter table workflow_runs enable row level security;
alter table workflow_runs force row level security;
create policy erasing on workflow_runs to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on workflow_runs for select to slipway_worker using (true);
create policy tenant on workflow_runs to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on workflow_runs to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on workflow_runs for select to current_user using (current_setting('role') = 'none');

-- migrations 0003, 0044, 0081
create table workflows (
  app_id uuid not null,
  workflow_id uuid not null,
  server_id uuid not null,
  name text not null,
  description text not null,
  input_schema jsonb not null,
  steps text[] not null,
  failing_step smallint,
  enabled boolean not null,
  created_at timestamptz not null,
  constraint workflows_pkey primary key (app_id, workflow_id),
  constraint workflows_check check (failing_step >= 1 and failing_step <= cardinality(steps)),
  constraint workflows_steps_check check (cardinality(steps) >= 1 and cardinality(steps) <= 20),
  constraint workflows_app_id_server_id_fkey foreign key (app_id, server_id) references servers(app_id, server_id)
);
create index workflows_by_server on workflows (app_id, server_id, workflow_id desc) where server_id is not null;
create trigger revise_on_delete after delete on workflows referencing old table as changed for each statement execute function bump_revision('workflows');
create trigger revise_on_insert after insert on workflows referencing new table as changed for each statement execute function bump_revision('workflows');
create trigger revise_on_update after update on workflows referencing new table as changed for each statement execute function bump_revision('workflows');
alter table workflows enable row level security;
alter table workflows force row level security;
create policy erasing on workflows to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on workflows to slipway_api, slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy together on workflows to slipway_api using (app_id = any ((( select current_app_ids() as current_app_ids))::uuid[]));
create policy whole on workflows for select to current_user using (current_setting('role') = 'none');

-- migration 0006
create table worlds (
  app_id uuid not null,
  preset text not null,
  seed text not null,
  epoch integer not null,
  made_at timestamptz default clock_timestamp() not null,
  speed integer default 1 not null,
  speed_until timestamptz,
  turn bigint default 0 not null,
  due_at timestamptz,
  constraint worlds_pkey primary key (app_id),
  constraint worlds_check check (due_at is null or speed > 0),
  constraint worlds_check1 check ((speed_until is null) = (speed <= 1)),
  constraint worlds_epoch_check check (epoch >= 0),
  constraint worlds_preset_check check (preset = any (array['empty', 'small', 'busy', 'unicode', 'large'])),
  constraint worlds_seed_check check (length(seed) >= 1 and length(seed) <= 100),
  constraint worlds_speed_check check (speed >= 0 and speed <= 3600),
  constraint worlds_app_id_fkey foreign key (app_id) references apps(app_id)
);
create index worlds_due on worlds (due_at) where due_at is not null;
alter table worlds enable row level security;
alter table worlds force row level security;
create policy erasing on worlds to current_user using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on worlds for select to slipway_worker using (true);
create policy tenant on worlds to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on worlds for select to current_user using (current_setting('role') = 'none');

-- migration 0001
create function access_lock(app_id uuid, object_id uuid)
  returns bigint
  language sql
  immutable parallel safe
  return hashtextextended(((app_id)::text || (object_id)::text), (75470003)::bigint);

-- migrations 0076, 0080
create function add_capture_key(of_app_id uuid, new_key_id uuid, of_hour timestamptz, new_sealed_key bytea, ends timestamptz)
  returns table(key_id uuid, sealed_key bytea)
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
#variable_conflict use_column
begin
  perform set_config('slipway.app_id', of_app_id::text, true);
  perform from plane_state where environment = 'production';
  if found then raise exception 'captures belong to the sandbox'; end if;
  perform from apps a where a.app_id = of_app_id and a.captures_since is not null
    and (a.erase_at is null or a.erase_at > clock_timestamp()) for share;
  if not found then return; end if;
  insert into capture_keys (app_id, key_id, hour, sealed_key, expires_at)
    values (of_app_id, new_key_id, of_hour, new_sealed_key, ends)
  on conflict (app_id, hour) where sealed_key is not null do nothing;
  return query select k.key_id, k.sealed_key from capture_keys k
    where k.app_id = of_app_id and k.hour = of_hour and k.sealed_key is not null;
end $function$;

-- migrations 0076, 0080
create function add_capture_key(of_app_id uuid, new_key_id uuid, of_hour timestamptz, new_sealed_key bytea, ends timestamptz, of_since_ms double precision)
  returns table(key_id uuid, sealed_key bytea)
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
#variable_conflict use_column
declare since timestamptz;
begin
  perform set_config('slipway.app_id', of_app_id::text, true);
  perform from plane_state where environment = 'production';
  if found then raise exception 'captures belong to the sandbox'; end if;
  select a.captures_since into since from apps a
    where a.app_id = of_app_id and (extract(epoch from a.captures_since) * 1000)::float8 = of_since_ms
      and (a.erase_at is null or a.erase_at > clock_timestamp()) for share;
  if not found then return; end if;
  insert into capture_keys (app_id, key_id, hour, sealed_key, expires_at, captures_since)
    values (of_app_id, new_key_id, of_hour, new_sealed_key, ends, since)
  on conflict (app_id, hour) where sealed_key is not null do nothing;
  return query select k.key_id, k.sealed_key from capture_keys k
    where k.app_id = of_app_id and k.hour = of_hour and k.sealed_key is not null
      and (k.captures_since is null or k.captures_since = since);
end $function$;

-- migration 0052
create function apply_limits()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
declare
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
  stated record;
  restricted text;
begin
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', new.app_id::text, true); end if;
  select state, is_over_cap into stated from upstream_installations
    where app_id = new.app_id and server_id = new.server_id and stated_version = version;
  select state into restricted from installation_restrictions
    where app_id = new.app_id and server_id = new.server_id and scope = '*';
  if stated.state is not null then
    -- Asked for again: there may be a place by now.
    if stated.is_over_cap and new.state = 'authorised' then
      update upstream_installations set is_over_cap = false where app_id = new.app_id and server_id = new.server_id
        returning is_over_cap into stated.is_over_cap;
    end if;
    new.is_over_cap := stated.is_over_cap;
    new.state := strictest(new.state, stated.state, restricted, case when stated.is_over_cap then 'paused' end);
  else
    new.state := strictest(new.state, restricted);
    new.is_over_cap := new.is_over_cap and new.state = 'paused';
    if new.state = 'authorised' and (tg_op = 'INSERT' or old.state <> 'authorised') then
      new.is_over_cap := not has_place(new.app_id, new.server_id);
      if new.is_over_cap then new.state := 'paused'; end if;
    end if;
  end if;
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', app_before, true); end if;
  return new;
end $function$;

-- migration 0062
create function apply_restrictions()
  returns trigger
  language plpgsql
  set enable_seqscan to 'off'
  as $function$
begin
  update installations i set state = r.state, changed_at = clock_timestamp()
    from changed r
    where r.scope = '*' and i.app_id = r.app_id and i.server_id = r.server_id and i.state <> strictest(i.state, r.state);
  update installation_scopes g set state = r.state, changed_at = clock_timestamp()
    from changed r join installations i on i.app_id = r.app_id and i.server_id = r.server_id
    where r.scope <> '*' and i.state <> 'revoked'
      and g.app_id = i.app_id and g.installation_id = i.installation_id and g.scope = r.scope
      and g.state <> strictest(g.state, r.state);
  return null;
end $function$;

-- migration 0052
create function apply_scope_limits()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
declare
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
  of_server_id uuid;
  stated record;
  restricted text;
begin
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', new.app_id::text, true); end if;
  if exists (select from upstream_installations where app_id = new.app_id) then
    select server_id into of_server_id from installations
      where app_id = new.app_id and installation_id = new.installation_id;
    select state, scopes into stated from upstream_installations
      where app_id = new.app_id and server_id = of_server_id and stated_version = version;
    select state into restricted from installation_restrictions
      where app_id = new.app_id and server_id = of_server_id and scope = new.scope;
    new.state := strictest(new.state, restricted,
      case when stated.state is not null then coalesce(stated.scopes ->> new.scope, 'revoked') end);
  end if;
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', app_before, true); end if;
  return new;
end $function$;

-- migration 0074
create function approve_scopes(approved text[])
  returns void
  language plpgsql
  as $function$
declare
  one uuid;
begin
  for one in select app_id from apps where not approved_scopes @> approved loop
    perform set_config('slipway.app_id', one::text, true);
    update apps set approved_scopes = approved where app_id = one;
  end loop;
  perform set_config('slipway.app_id', '', true);
end $function$;

-- migration 0074
create function are_scopes(named text[])
  returns boolean
  language sql
  immutable parallel safe
  return ((cardinality(named) <= 1000) and (not (exists (select from unnest(are_scopes.named) one(one) where ((one.one is null) or (one.one !~ '^[a-z][a-z_]{0,29}:[a-z][a-z_]{0,29}$'))))));

-- migration 0018
create function audit_field(field text)
  returns text
  language sql
  immutable
  return coalesce(((octet_length(field) || ':') || field), '-');

-- migration 0018
create function audit_hash(entry audit_entries)
  returns bytea
  language sql
  stable
  return sha256(convert_to(concat(audit_field('slipway-audit-1'), audit_field(((entry).organisation_id)::text), audit_field(((entry).sequence)::text), audit_field(encode((entry).previous_hash, 'hex')), audit_field(((entry).audit_id)::text), audit_field(to_char(((entry).at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), audit_field((entry).actor_kind), audit_field((entry).actor_id), audit_field((entry).actor), audit_field((entry).action), audit_field((entry).target), audit_field(((entry).app_id)::text), audit_field(((entry).detail)::text), audit_field((entry).request_id), audit_field((entry).client_address)), 'UTF8'::name));

-- migrations 0001, 0006, 0013, 0038
create function await_mutations()
  returns trigger
  language plpgsql
  as $function$
begin
  if current_setting('slipway.held_app_id', true) is distinct from old.app_id::text then
    perform pg_advisory_xact_lock(access_lock(old.app_id, (to_jsonb(old) ->> tg_argv[0])::uuid));
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

-- migrations 0001, 0006
create function await_mutations_on_server()
  returns trigger
  language plpgsql
  as $function$
begin
  if current_setting('slipway.held_app_id', true) is distinct from old.app_id::text then
    perform pg_advisory_xact_lock(access_lock(i.app_id, i.server_id)) from installations i
      where i.app_id = old.app_id and i.installation_id = old.installation_id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

-- migrations 0020, 0038, 0076
create function bump_access()
  returns trigger
  language plpgsql
  as $function$
begin
  insert into revisions as r (app_id, slot, access)
    values (case tg_op when 'DELETE' then old.app_id else new.app_id end, revision_slot(), pg_current_xact_id()::text::bigint)
  on conflict (app_id, slot) do update set access = r.access + 1;
  return null;
end $function$;

-- migrations 0005, 0011, 0043, 0065
create function bump_activity()
  returns trigger
  language plpgsql
  as $function$
begin
  insert into revisions as r (app_id, slot, activity)
    select app_id, revision_slot(), 1 from (select distinct app_id from changed) apps order by app_id
  on conflict (app_id, slot) do update set activity = r.activity + 1;
  return null;
end $function$;

-- migration 0053
create function bump_grants()
  returns trigger
  language plpgsql
  as $function$
begin
  insert into revisions as r (app_id, slot, grants)
    values (new.app_id, revision_slot(), pg_current_xact_id()::text::bigint)
  on conflict (app_id, slot) do update set grants = r.grants + 1;
  return null;
end $function$;

-- migrations 0001, 0011, 0043
create function bump_revision()
  returns trigger
  language plpgsql
  as $function$
begin
  execute format(
    'insert into revisions as r (app_id, slot, %1$I)
       select app_id, revision_slot(), 1 from (select distinct app_id from changed) apps order by app_id
     on conflict (app_id, slot) do update set %1$I = r.%1$I + 1', tg_argv[0]);
  return null;
end $function$;

-- migration 0027
create function cancel_sealing(of_pid integer)
  returns void
  language sql
  security definer
  set search_path to 'pg_catalog'
  as $function$
  select pg_cancel_backend(pid) from pg_locks
  where pid = of_pid and locktype = 'advisory' and classid = 0 and objid = 75470003
    and database = (select oid from pg_database where datname = current_database())
$function$;

-- migration 0018
create function chain_audit_entry()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
begin
  insert into audit_heads as head (organisation_id, sequence, at) values (new.organisation_id, 1, clock_timestamp())
    on conflict (organisation_id) do update
      -- Never dated before the one before it, whatever the clock does: by time and by sequence the order is one.
      set sequence = head.sequence + 1, at = greatest(head.at, clock_timestamp())
    returning head.sequence, head.at, head.hash into new.sequence, new.at, new.previous_hash;
  new.hash := audit_hash(new);
  update audit_heads set hash = new.hash where organisation_id = new.organisation_id;
  return new;
end $function$;

-- migration 0028
create function claims_lock(app_id uuid)
  returns bigint
  language sql
  immutable parallel safe
  return hashtextextended((app_id)::text, (75470039)::bigint);

-- migrations 0054, 0055
create function close_regressed()
  returns void
  language sql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
  update plane_state set closed_at = clock_timestamp(), closed_because = 'regressed' where closed_because is null
$function$;

-- migration 0001
create procedure count_revision(in counted regclass, in collection text)
  language plpgsql
  as $procedure$
begin
  execute format('create trigger revise_on_insert after insert on %s referencing new table as changed
                  for each statement execute function bump_revision(%L)', counted, collection);
  execute format('create trigger revise_on_update after update on %s referencing new table as changed
                  for each statement execute function bump_revision(%L)', counted, collection);
  execute format('create trigger revise_on_delete after delete on %s referencing old table as changed
                  for each statement execute function bump_revision(%L)', counted, collection);
end $procedure$;

-- migration 0001
create function current_app_id()
  returns uuid
  language sql
  stable parallel safe
  return (nullif(current_setting('slipway.app_id', true), ''))::uuid;

-- migration 0043
create function current_app_ids()
  returns uuid[]
  language sql
  stable parallel safe
  return (nullif(current_setting('slipway.app_ids', true), ''))::uuid[];

-- migration 0001
create function current_organisation_id()
  returns uuid
  language sql
  stable parallel safe
  return (nullif(current_setting('slipway.organisation_id', true), ''))::uuid;

-- migration 0076
create function destroy_capture_keys()
  returns trigger
  language plpgsql
  as $function$
begin
  update capture_keys set sealed_key = null where app_id = new.app_id and sealed_key is not null;
  return null;
end $function$;

-- migration 0049
create function drop_partitions(parent text, keep interval, max_partitions integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set "TimeZone" to 'UTC'
  set lock_timeout to '200ms'
  as $function$
declare
  oldest uuid := uuid_floor(clock_timestamp() - keep);
  old regclass;
  dropped int := 0;
begin
  if parent not in ('request_records', 'events', 'deliveries', 'attempts') then
    raise exception 'no such partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(75470002);
  foreach old in array array(
    select p.leaf from partition_bounds(('public.' || quote_ident(parent))::regclass) p where p.upper_bound <= oldest
      order by p.upper_bound)
  loop
    exit when dropped >= max_partitions;
    begin
      execute format('drop table %s', old);
      dropped := dropped + 1;
    exception when lock_not_available then
      raise warning '% is in use and goes the next time', old;
    end;
  end loop;
  return dropped;
end $function$;

-- migration 0013
create function end_erasing(of_app_id uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
begin
  perform refuse_early_erasing(of_app_id);
  delete from apps where app_id = of_app_id and erased_at is not null;
  update apps set erased_at = clock_timestamp() where app_id = of_app_id;
end $function$;

-- migrations 0018, 0073
create function erase_audit_chain(erased uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
begin
  perform set_config('slipway.erased_organisation', erased::text, true);
  delete from audit_entries where organisation_id = erased;
  delete from revocation_receipts where organisation_id = erased;
  update audit_heads set erased_at = clock_timestamp() where organisation_id = erased;
  perform set_config('slipway.erased_organisation', '', true);
end $function$;

-- migration 0049
create function erase_keys(of_app_id uuid, max_rows integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set enable_seqscan to 'off'
  as $function$
declare
  erased int;
begin
  perform refuse_early_erasing(of_app_id);
  with gone as (
    delete from keys where ctid = any (array(
      select k.ctid from keys k where k.app_id = of_app_id
        and not exists (select from keys s where s.app_id = k.app_id and s.predecessor_id = k.key_id)
      limit max_rows))
    returning 1)
  select count(*) into erased from gone;
  return erased;
end $function$;

-- migrations 0013, 0073
create function erase_rows(of_app_id uuid, from_table text, max_rows integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set enable_seqscan to 'off'
  as $function$
declare
  leaf regclass;
  erased int;
  total int := 0;
begin
  perform refuse_early_erasing(of_app_id);
  if from_table in ('apps', 'audit_entries', 'revocation_receipts') then raise exception '% is not erased row by row', from_table; end if;
  for leaf in
    select relid from pg_partition_tree(from_table::regclass) where isleaf
    union all select from_table::regclass where not exists (select from pg_partition_tree(from_table::regclass))
  loop
    execute format('with gone as (
        delete from %1$s where ctid = any (array(select ctid from %1$s where app_id = $1 limit $2)) returning 1)
      select count(*) from gone', leaf) into erased using of_app_id, max_rows - total;
    total := total + erased;
    exit when total >= max_rows;
  end loop;
  return total;
end $function$;

-- migration 0027
create function find_faceted_requests(facets text[], from_id uuid, before_id uuid, at_most integer)
  returns setof uuid
  language plpgsql
  stable security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
declare
  hashes bigint[] := array(select request_facet(current_app_id(), facet) from unnest(facets) facet);
  sealed regclass;
  count int;
  total int := 0;
begin
  for sealed in
    select p.leaf from partition_bounds('request_records') p
      where p.is_sealed and p.lower_bound < before_id and p.upper_bound > from_id order by p.lower_bound desc
  loop
    return query execute format('select request_id from %s
        where app_id = $1 and request_facets(app_id, operation_id, simulated, duration_us) @> $2
          and request_id >= $3 and request_id < $4
        order by request_id desc limit $5', sealed)
      using current_app_id(), hashes, from_id, before_id, at_most - total;
    get diagnostics count = row_count;
    total := total + count;
    exit when total >= at_most;
  end loop;
end $function$;

-- migration 0038
create function guard_allowed_cidrs()
  returns trigger
  language plpgsql
  as $function$
begin
  if new.allowed_cidrs is distinct from old.allowed_cidrs then
    raise exception 'from where a key may be used is fixed when it is made' using errcode = '23514';
  end if;
  return new;
end $function$;

-- migration 0053
create function guard_event_scopes()
  returns trigger
  language plpgsql
  as $function$
begin
  raise exception 'an app that enforces the scopes of events cannot go back' using errcode = '23514';
end $function$;

-- migration 0001
create function guard_grant()
  returns trigger
  language plpgsql
  as $function$
begin
  if old.state = 'revoked' and new.state <> 'revoked' then
    raise exception 'a revocation is final' using errcode = '23514';
  end if;
  return new;
end $function$;

-- migrations 0001, 0012, 0058
create function guard_key()
  returns trigger
  language plpgsql
  as $function$
begin
  if tg_op = 'INSERT' then
    new.created_at := clock_timestamp();
    if new.ends_at is not null then
      raise exception 'a key is not made to end before it expires' using errcode = '23514';
    end if;
    if new.predecessor_id is not null and not exists (
      select from keys where app_id = new.app_id and key_id = new.predecessor_id and new.scopes <@ scopes) then
      raise exception 'a successor has no scope that its predecessor lacks' using errcode = '23514';
    end if;
    return new;
  end if;
  if (new.app_id, new.key_id, new.kid, new.created_at, new.expires_at, new.scopes, new.predecessor_id)
     is distinct from
     (old.app_id, old.key_id, old.kid, old.created_at, old.expires_at, old.scopes, old.predecessor_id) then
    raise exception 'a key''s identity, scopes and expiry are fixed when it is made' using errcode = '23514';
  end if;
  if new.verifier <> old.verifier and new.pepper_version = old.pepper_version then
    raise exception 'only another pepper changes a key''s verifier' using errcode = '23514';
  end if;
  if old.state = 'revoked' and (new.state, new.revoked_at, new.revoked_by, new.ends_at)
     is distinct from (old.state, old.revoked_at, old.revoked_by, old.ends_at) then
    raise exception 'a revocation is final' using errcode = '23514';
  end if;
  if new.ends_at is distinct from old.ends_at
     and (old.ends_at is not null or new.ends_at > clock_timestamp() + interval '24 hours') then
    raise exception 'a key''s end is dated once, at most a day ahead' using errcode = '23514';
  end if;
  return new;
end $function$;

-- migration 0016
create function guard_verifier()
  returns trigger
  language plpgsql
  as $function$
begin
  if (new.verifier = old.verifier) <> (new.pepper_version = old.pepper_version) then
    raise exception 'a verifier and its pepper change together' using errcode = '23514';
  end if;
  if new.pepper_version < old.pepper_version then
    raise exception 'a key is never put under an earlier pepper' using errcode = '23514';
  end if;
  return new;
end $function$;

-- migration 0052
create function has_place(of_app_id uuid, for_server_id uuid)
  returns boolean
  language plpgsql
  as $function$
declare
  most int;
begin
  select max_servers into most from apps where app_id = of_app_id;
  if most is null then return true; end if;
  select max_servers into most from apps where app_id = of_app_id for no key update;
  return most is null or taken_places(of_app_id, for_server_id) < most;
end $function$;

-- migration 0006
create function hold_app(held_app_id uuid)
  returns void
  language plpgsql
  as $function$
begin
  perform pg_advisory_xact_lock(access_lock(held_app_id, held_app_id));
  perform set_config('slipway.held_app_id', held_app_id::text, true);
end $function$;

-- migration 0013
create function join_organisation()
  returns trigger
  language plpgsql
  as $function$
begin
  insert into organisations (organisation_id) values (new.organisation_id) on conflict do nothing;
  select o.standing into strict new.organisation_standing from organisations o
    where o.organisation_id = new.organisation_id for no key update;
  return new;
end $function$;

-- migration 0018
create function keep_audited()
  returns trigger
  language plpgsql
  as $function$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if old.organisation_id::text = current_setting('slipway.erased_organisation', true) then return old; end if;
  end if;
  raise exception 'what was audited stays as it is' using errcode = '23514';
end $function$;

-- migration 0038
create function keep_server_cap()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
declare
  most int;
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
begin
  new.is_over_cap := new.is_over_cap and new.state = 'paused';
  if new.state <> 'authorised' or (tg_op = 'UPDATE' and old.state = 'authorised') then return new; end if;
  new.is_over_cap := false;
  -- The owner too sees one app at a time: without it there would seem to be no cap.
  perform set_config('slipway.app_id', new.app_id::text, true);
  select max_servers into most from apps where app_id = new.app_id;
  if most is null then
    perform set_config('slipway.app_id', app_before, true);
    return new;
  end if;
  select max_servers into most from apps where app_id = new.app_id for no key update;
  if most <= (select count(*) from installations where app_id = new.app_id and state = 'authorised') then
    new.state := 'paused';
    new.is_over_cap := true;
  end if;
  perform set_config('slipway.app_id', app_before, true);
  return new;
end $function$;

-- migration 0073
create function keep_signed()
  returns trigger
  language plpgsql
  as $function$
begin
  if old.jws is not null then raise exception 'a signed receipt is not changed' using errcode = '23514'; end if;
  return new;
end $function$;

-- migration 0052
create function keep_statement_cap()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
declare
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
begin
  if new.state is distinct from 'authorised' or new.stated_version is distinct from new.version then
    new.is_over_cap := false;
    return new;
  end if;
  perform set_config('slipway.app_id', new.app_id::text, true);
  new.is_over_cap := not (
    tg_op = 'UPDATE' and coalesce(old.state = 'authorised' and old.stated_version = old.version and not old.is_over_cap, false)
    or exists (select from installations
      where app_id = new.app_id and server_id = new.server_id and state = 'authorised')
    or has_place(new.app_id, new.server_id));
  perform set_config('slipway.app_id', app_before, true);
  return new;
end $function$;

-- migration 0013
create procedure let_erase(in erasable regclass)
  language plpgsql
  as $procedure$
begin
  execute format('create policy erasing on %s to current_user
    using (app_id = current_app_id()) with check (app_id = current_app_id())', erasable);
end $procedure$;

-- migration 0024
create function let_next_go()
  returns trigger
  language plpgsql
  as $function$
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
end $function$;

-- migration 0049
create function make_partitions(parent text, width interval, ahead interval)
  returns void
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set "TimeZone" to 'UTC'
  as $function$
declare
  began timestamptz := date_bin(width, clock_timestamp(), timestamptz '2000-01-01 00:00:00+00');
  until timestamptz := clock_timestamp() + ahead;
  partition_name text;
begin
  if parent not in ('request_records', 'events', 'deliveries', 'attempts') then
    raise exception 'no such partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(75470002);
  while began < until loop
    partition_name := parent || to_char(began at time zone 'UTC', '_YYYYMMDD_HH24');
    if to_regclass('public.' || quote_ident(partition_name)) is null then
      begin
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L) %s',
          partition_name, parent, uuid_floor(began), uuid_floor(began + width),
          case parent when 'deliveries' then 'with (fillfactor = 90)' end);
      exception when check_violation then
        -- The default partition already holds rows of that time (no process tended for too long): they stay there.
        raise warning 'rows of % are in the default partition of %', began, parent;
      end;
    end if;
    began := began + width;
  end loop;
end $function$;

-- migration 0022
create function master_key_of(sealed bytea)
  returns text
  language sql
  immutable parallel safe strict
  return encode(substring(sealed from 3 for get_byte(sealed, 1)), 'escape');

-- migration 0017
create function new_change_id()
  returns uuid
  language sql
  as $function$
  select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4), 3, '0')
    || substr(gen_random_uuid()::text, 20))::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) clock
$function$;

-- migration 0054
create function newest_audit_head()
  returns table(organisation_id uuid, sequence bigint, hash text)
  language sql
  stable security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
  select organisation_id, sequence, encode(hash, 'hex') from audit_heads where hash is not null order by at desc limit 1
$function$;

-- migration 0057
create function note_changed_schedule()
  returns trigger
  language plpgsql
  as $function$
begin
  new.schedule_changed_at := clock_timestamp();
  return new;
end $function$;

-- migrations 0055, 0063, 0064
create function note_revocation()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
declare
  line jsonb;
begin
  if tg_table_name = 'keys' then
    line := case when new.state = 'revoked' then jsonb_build_object('kind', 'key.revoked', 'app', new.app_id, 'id', new.key_id)
      else jsonb_build_object('kind', 'key.ends', 'app', new.app_id, 'id', new.key_id, 'until', new.ends_at) end;
  elsif tg_table_name = 'installations' then
    line := jsonb_build_object('kind', 'server.' || new.state, 'app', new.app_id, 'id', new.installation_id);
  elsif tg_table_name = 'installation_scopes' then
    line := jsonb_build_object('kind', 'scope.' || new.state, 'app', new.app_id, 'id', new.grant_id);
  elsif tg_table_name = 'installation_restrictions' then
    line := jsonb_build_object('kind', 'restriction.' || new.state, 'app', new.app_id, 'id', new.server_id, 'scope', new.scope);
  else
    line := jsonb_build_object('kind', coalesce(tg_argv[0], 'app.suspended'), 'app', new.app_id, 'id', new.app_id);
  end if;
  insert into revocations (line) values (line);
  return null;
end $function$;

-- migrations 0027, 0034
create function partition_bounds(parent regclass)
  returns table(leaf regclass, lower_bound uuid, upper_bound uuid, is_sealed boolean)
  language sql
  stable
  as $function$
  select c.oid::regclass, nullif(split_part(bound, '''', 2), '')::uuid, nullif(split_part(bound, '''', 4), '')::uuid,
    c.relname ~ '_sealed_\d{8}_\d{2}$'
  from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    -- Written once for each: without the offset it would be once for each use.
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound offset 0) bounds
  where i.inhparent = parent and bound <> 'DEFAULT'
$function$;

-- migration 0017
create function record_installation_scopes()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set enable_seqscan to 'off'
  as $function$
declare
  callers_app_id text := coalesce(current_setting('slipway.app_id', true), '');
  of_app_id uuid;
begin
  for of_app_id in select distinct app_id from changed loop
    perform set_config('slipway.app_id', of_app_id::text, true);
    if tg_op = 'INSERT' then
      insert into installation_changes (app_id, server_id, installation_id, scopes, to_state)
        select of_app_id, (select server_id from installations i
            where i.app_id = of_app_id and i.installation_id = c.installation_id) as server_id,
          c.installation_id, array_agg(c.scope order by c.scope), c.state
        from changed c where c.app_id = of_app_id group by c.installation_id, c.state order by server_id;
    elsif tg_op = 'UPDATE' then
      insert into installation_changes (app_id, server_id, installation_id, scopes, from_state, to_state)
        select of_app_id, (select server_id from installations i
            where i.app_id = of_app_id and i.installation_id = c.installation_id) as server_id,
          c.installation_id, array_agg(c.scope order by c.scope), c.was, c.becomes
        from (
          select installation_id, scope, min(was) as was, min(becomes) as becomes from (
            select grant_id, installation_id, scope, state as was, null as becomes from before_change
              where app_id = of_app_id
            union all select grant_id, installation_id, scope, null, state from changed where app_id = of_app_id) both_states
          group by grant_id, installation_id, scope having min(was) <> min(becomes)) c
        group by c.installation_id, c.was, c.becomes order by server_id;
    else
      -- Before the installation itself goes: it is still there.
      insert into installation_changes (app_id, server_id, installation_id, scopes, from_state)
        select of_app_id, (select server_id from installations i
            where i.app_id = of_app_id and i.installation_id = c.installation_id) as server_id,
          c.installation_id, array_agg(c.scope order by c.scope), c.state
        from changed c where c.app_id = of_app_id and c.state <> 'revoked'
        group by c.installation_id, c.state order by server_id;
    end if;
  end loop;
  perform set_config('slipway.app_id', callers_app_id, true);
  return null;
end $function$;

-- migration 0017
create function record_installations()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set enable_seqscan to 'off'
  as $function$
declare
  callers_app_id text := coalesce(current_setting('slipway.app_id', true), '');
  of_app_id uuid;
begin
  for of_app_id in select distinct app_id from changed loop
    perform set_config('slipway.app_id', of_app_id::text, true);
    if tg_op = 'INSERT' then
      insert into installation_changes (app_id, server_id, installation_id, to_state)
        select app_id, server_id, installation_id, state from changed where app_id = of_app_id order by server_id;
    elsif tg_op = 'UPDATE' then
      insert into installation_changes (app_id, server_id, installation_id, from_state, to_state)
        select of_app_id, server_id, installation_id, min(was), min(becomes) from (
          select server_id, installation_id, state as was, null as becomes from before_change where app_id = of_app_id
          union all select server_id, installation_id, null, state from changed where app_id = of_app_id) both_states
        group by server_id, installation_id having min(was) <> min(becomes) order by server_id;
    else
      insert into installation_changes (app_id, server_id, installation_id, from_state)
        select app_id, server_id, installation_id, state from changed
        where app_id = of_app_id and state <> 'revoked' order by server_id;
    end if;
  end loop;
  perform set_config('slipway.app_id', callers_app_id, true);
  return null;
end $function$;

-- migration 0013
create function refuse_early_erasing(of_app_id uuid)
  returns void
  language plpgsql
  as $function$
begin
  perform set_config('slipway.app_id', of_app_id::text, true);
  -- It has had no mutation for the days of its grace: the locks that keep one off would be too many.
  perform set_config('slipway.held_app_id', of_app_id::text, true);
  if not exists (select from apps where app_id = of_app_id and erase_at <= clock_timestamp()) then
    raise exception 'the app is not due to be erased';
  end if;
end $function$;

-- migration 0014
create function refuse_installations_of_the_past()
  returns trigger
  language plpgsql
  set enable_seqscan to 'off'
  as $function$
begin
  if exists (select from added a where a.installation_id < (
      select i.installation_id from installations i where i.app_id = a.app_id and i.server_id = a.server_id
      order by i.installation_id desc limit 1)) then
    raise exception 'a later installation is there already' using errcode = '40001';
  end if;
  return null;
end $function$;

-- migration 0014
create function refuse_scopes_of_the_past()
  returns trigger
  language plpgsql
  set enable_seqscan to 'off'
  as $function$
begin
  if exists (select from added a where a.grant_id < (
      select g.grant_id from installation_scopes g
      where g.app_id = a.app_id and g.installation_id = a.installation_id and g.scope = a.scope
      order by g.grant_id desc limit 1)) then
    raise exception 'a later grant of the scope is there already' using errcode = '40001';
  end if;
  return null;
end $function$;

-- migration 0006
create function remove_servers(gone uuid[])
  returns void
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
begin
  delete from installation_scopes g using installations i
    where i.app_id = current_app_id() and i.server_id = any(gone)
      and g.app_id = i.app_id and g.installation_id = i.installation_id;
  delete from installations where app_id = current_app_id() and server_id = any(gone);
  delete from servers where app_id = current_app_id() and server_id = any(gone);
end $function$;

-- migration 0027
create function request_facet(app_id uuid, facet text)
  returns bigint
  language sql
  immutable parallel safe
  return hashtextextended(facet, uuid_hash_extended(app_id, (0)::bigint));

-- migrations 0027, 0031
create function request_facets(app_id uuid, operation_id text, simulated text, duration_us integer)
  returns bigint[]
  language plpgsql
  immutable parallel safe
  as $function$
begin
  return array_remove(array[
    public.request_facet(app_id, 'operation ' || operation_id),
    case when simulated is not null then public.request_facet(app_id, 'simulated') end,
    case when duration_us >= 1000000 then public.request_facet(app_id, 'duration 1') end,
    case when duration_us >= 3000000 then public.request_facet(app_id, 'duration 3') end,
    case when duration_us >= 10000000 then public.request_facet(app_id, 'duration 10') end], null);
end $function$;

-- migration 0011
create function revision_slot()
  returns integer
  language sql
  stable
  return coalesce((nullif(current_setting('slipway.revision_slot', true), ''))::integer, (pg_backend_pid() % 4));

-- migration 0027
create function seal_request_records()
  returns text
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set "TimeZone" to 'UTC'
  set lock_timeout to '3s'
  as $function$
declare
  day timestamptz;
  hour record;
  hours regclass[];
  from_id uuid;
  before_id uuid;
  sealed text;
  definition text;
begin
  if not pg_try_advisory_xact_lock(75470003) then return null; end if;
  select min(date_trunc('day', uuid_moment(p.lower_bound))) into day from partition_bounds('request_records') p
    where not p.is_sealed
      and date_trunc('day', uuid_moment(p.lower_bound)) + interval '1 day' <= clock_timestamp() - interval '15 minutes';
  if day is null then return null; end if;

  -- Up to the first that is missing: its rows, if there are any, are in the default partition.
  for hour in
    select p.* from partition_bounds('request_records') p
      where not p.is_sealed and p.lower_bound >= uuid_floor(day) and p.lower_bound < uuid_floor(day + interval '1 day')
      order by p.lower_bound
  loop
    exit when hour.lower_bound <> before_id;
    from_id := coalesce(from_id, hour.lower_bound);
    before_id := hour.upper_bound;
    hours := hours || hour.leaf;
  end loop;
  execute format('lock table %s in share mode', array_to_string(hours, ', '));

  sealed := 'public.request_records_sealed_' || to_char(uuid_moment(from_id), 'YYYYMMDD_HH24');
  -- By its check Postgres knows that all of it belongs there, and need not look when it is attached.
  execute format('create table %s (like public.request_records including defaults including constraints,
    check (request_id >= %L and request_id < %L))', sealed, from_id, before_id);
  execute format('insert into %s select * from (%s) hours order by app_id, request_id', sealed,
    (select string_agg(format('select * from %s', one), ' union all ') from unnest(hours) one));
  execute format('alter table %s add primary key (app_id, request_id)', sealed);
  foreach definition in array array(
    select pg_get_indexdef(indexrelid) from pg_index
      where indrelid = 'public.request_records'::regclass and not indisprimary)
  loop
    execute regexp_replace(definition, '^CREATE INDEX \S+ ON (ONLY )?\S+', 'create index on ' || sealed);
  end loop;
  execute format('create index on %s using gin (request_facets(app_id, operation_id, simulated, duration_us))', sealed);
  execute format('analyze %s', sealed);

  perform set_config('lock_timeout', '200ms', true);
  for attempt in 1..60 loop
    begin
      lock table only public.request_records in access exclusive mode;
      execute format('drop table %s', array_to_string(hours, ', '));
      execute format('alter table public.request_records attach partition %s for values from (%L) to (%L)',
        sealed, from_id, before_id);
      return sealed;
    exception when lock_not_available then
      if attempt = 60 then raise; end if;
      perform pg_sleep(1);
    end;
  end loop;
end $function$;

-- migration 0052
create function strictest(variadic states text[])
  returns text
  language sql
  immutable parallel safe
  return case when ('revoked' = any (states)) then 'revoked' when ('paused' = any (states)) then 'paused' else 'authorised' end;

-- migration 0052
create function taken_places(of_app_id uuid, except_server_id uuid)
  returns bigint
  language sql
  stable
  return (select count(*) as count from (select upstream_installations.server_id from upstream_installations where ((upstream_installations.app_id = taken_places.of_app_id) and (upstream_installations.stated_version = upstream_installations.version) and (upstream_installations.state = 'authorised') and (not upstream_installations.is_over_cap)) union select installations.server_id from installations where ((installations.app_id = taken_places.of_app_id) and (installations.state = 'authorised'))) taken where (taken.server_id is distinct from taken_places.except_server_id));

-- migration 0024
create function tend_endpoint_health()
  returns trigger
  language plpgsql
  as $function$
begin
  if tg_op = 'INSERT' then
    insert into endpoint_health (app_id, endpoint_id) values (new.app_id, new.endpoint_id);
  else
    -- What failed before somebody enabled it again is no reason to disable it.
    update endpoint_health set failing_since = null, consecutive_failures = 0, warned_days = 0, warned_at = null
      where app_id = new.app_id and endpoint_id = new.endpoint_id;
  end if;
  return null;
end $function$;

-- migrations 0001, 0027, 0046, 0049
create function tend_partitions(parent text, width interval, ahead interval, keep interval)
  returns void
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set "TimeZone" to 'UTC'
  as $function$
begin
  perform make_partitions(parent, width, ahead);
  if parent = 'request_records' then perform trim_default_records(keep, 5000); end if;
  perform drop_partitions(parent, keep, 8);
end $function$;

-- migration 0049
create function trim_default_records(keep interval, max_rows integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set enable_seqscan to 'off'
  set lock_timeout to '1s'
  as $function$
declare
  trimmed int;
begin
  with gone as (
    delete from request_records_default where ctid = any (array(
      select ctid from request_records_default where request_id < uuid_floor(clock_timestamp() - keep) limit max_rows))
    returning 1)
  select count(*) into trimmed from gone;
  return trimmed;
end $function$;

-- migration 0027
create function trim_request_records(of_app_id uuid, days integer, max_rows integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  set enable_seqscan to 'off'
  set lock_timeout to '1s'
  as $function$
declare
  before_id uuid := uuid_floor(clock_timestamp() - make_interval(days => greatest(days, 1)));
  leaf regclass;
  trimmed int;
  total int := 0;
begin
  foreach leaf in array 'request_records_default'::regclass || array(
    select p.leaf from partition_bounds('request_records') p where p.lower_bound < before_id order by p.lower_bound)
  loop
    execute format('with gone as (
        delete from %1$s where ctid = any (array(select ctid from %1$s where app_id = $1 and request_id < $2 limit $3))
        returning 1)
      select count(*) from gone', leaf) into trimmed using of_app_id, before_id, max_rows - total;
    total := total + trimmed;
    exit when total >= max_rows;
  end loop;
  return total;
end $function$;

-- migration 0001
create function uuid_floor(at timestamptz)
  returns uuid
  language sql
  immutable
  return ((lpad(to_hex(((extract(epoch from at) * (1000)::numeric))::bigint), 12, '0') || repeat('0', 20)))::uuid;

-- migration 0027
create function uuid_moment(id uuid)
  returns timestamptz
  language sql
  immutable parallel safe
  return to_timestamp((((((('x' || "left"(replace((id)::text, '-', ''), 12)))::bit(48))::bigint)::numeric / 1000.0))::double precision);
