-- Live access: requests of organisations, what reviewers decided, and what production was told of it.

create table live_requests (
  request_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  -- In the sandbox.
  app_id uuid not null,
  app_name text not null,
  state text not null default 'draft'
    check (state in ('draft', 'submitted', 'changes_requested', 'approved', 'rejected', 'withdrawn')),
  version int not null default 1,
  scopes json not null default '[]',
  contacts json not null default '[]',
  -- People who had a hand in it, and who belonged to the organisation when it was submitted: none of them decides about it.
  hands text[] not null,
  -- What was submitted, to the byte, and its SHA-256.
  document text,
  document_hash bytea constraint hash_of_the_document check (document_hash = sha256(convert_to(document, 'UTF8'))),
  submitted_at timestamptz,
  submitted_by text,
  decided_at timestamptz,
  decided_by text,
  approved_scopes text[],
  -- What the reviewer said last.
  reason text check (length(reason) <= 2000),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  check ((document is null) = (document_hash is null)),
  check (state in ('draft', 'withdrawn') or document is not null),
  check ((state = 'approved') = (approved_scopes is not null))
);
create index live_requests_by_organisation on live_requests (organisation_id, request_id desc);
create index live_requests_by_state on live_requests (state, request_id desc);
create unique index live_requests_open on live_requests (organisation_id, app_id)
  where state in ('draft', 'submitted', 'changes_requested');

-- What a reviewer has before their eyes cannot be changed by anybody, and what was decided stays so.
create function guard_live_request() returns trigger language plpgsql as $$
begin
  if old.state in ('approved', 'rejected', 'withdrawn') then
    raise exception 'a decided request stays as it is' using errcode = '23514';
  end if;
  if old.state = 'submitted' and (new.scopes::text, new.contacts::text, new.document, new.app_id, new.organisation_id)
     is distinct from (old.scopes::text, old.contacts::text, old.document, old.app_id, old.organisation_id) then
    raise exception 'a submitted request is frozen' using errcode = '23514';
  end if;
  if not new.hands @> old.hands then
    raise exception 'who had a hand in a request stays known' using errcode = '23514';
  end if;
  new.version := old.version + 1;
  return new;
end $$;
create trigger guard before update on live_requests for each row execute function guard_live_request();

-- One app of the sandbox, and the one in production that was made of it. Counted like an organisation's standing: production is
-- told until it has confirmed the latest version.
create table live_access (
  organisation_id uuid not null references organisations on delete cascade,
  app_id uuid not null,
  production_app_id uuid not null unique,
  app_name text not null,
  scopes text[] not null,
  max_servers int check (max_servers > 0),
  standing text not null default 'active' check (standing in ('active', 'suspended', 'revoked')),
  reason text check (length(reason) <= 2000),
  version bigint not null default 1,
  confirmed_version bigint not null default 0,
  tried_at timestamptz,
  primary key (organisation_id, app_id),
  check ((standing = 'revoked') = (cardinality(scopes) = 0))
);
create index live_access_to_tell on live_access (tried_at nulls first) where confirmed_version < version;

create function count_live_access() returns trigger language plpgsql as $$
declare
  said_elsewhere text[] := array['version', 'confirmed_version', 'tried_at', 'reason'];
begin
  if to_jsonb(new) - said_elsewhere is distinct from to_jsonb(old) - said_elsewhere then
    new.version := old.version + 1;
  end if;
  return new;
end $$;
create trigger count_live_access before update on live_access for each row execute function count_live_access();

-- What both sides did and said. Only ever added to, and gone with its organisation.
create table live_steps (
  step_id uuid primary key,
  request_id uuid not null references live_requests on delete cascade,
  at timestamptz not null default clock_timestamp(),
  by text not null check (by in ('member', 'reviewer')),
  actor text not null,
  action text not null,
  detail json not null default '{}'
);
create index live_steps_by_request on live_steps (request_id, step_id desc);
create function guard_live_step() returns trigger language plpgsql as $$
begin
  raise exception 'what was done is only added to' using errcode = '23514';
end $$;
create trigger guard before update on live_steps for each row execute function guard_live_step();
