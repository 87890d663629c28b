-- Accounts, the second factor, operators.

-- The identity library's, as it names them. Secrets are encrypted and recovery codes hashed before they come here.
alter table "user" add column "twoFactorEnabled" boolean not null default false;
create table "twoFactor" (
  "id" text primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null unique references "user" ("id") on delete cascade,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);

-- A code of the second factor that was accepted is accepted no more; kept for as long as it could be.
create table used_codes (
  person_id text not null references "user" ("id") on delete cascade,
  code_hash bytea not null,
  used_at timestamptz not null default clock_timestamp(),
  primary key (person_id, code_hash)
);

-- Who may sign up. One row.
create table sign_up_policy (
  is_only boolean primary key default true check (is_only),
  policy text not null check (policy in ('open', 'invited', 'domain')),
  domains text[] not null default '{}' check (policy <> 'domain' or cardinality(domains) > 0)
);
insert into sign_up_policy (policy) values ('invited');

-- Somebody asked for a link by mail. What follows from it is decided beside the request, so that the answer tells nothing,
-- not even by the time that it takes.
create table link_requests (
  request_id uuid primary key,
  purpose text not null check (purpose in ('sign_up', 'password_reset')),
  email text not null check (length(email) <= 320),
  network cidr not null,
  requested_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz
);
create index link_requests_waiting on link_requests (requested_at) where handled_at is null;
create index link_requests_by_email on link_requests (email, requested_at);
create index link_requests_by_network on link_requests (network, requested_at);

-- A link that was mailed: whoever has its token has the address. Works once.
create table mailed_links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('sign_up', 'password_reset')),
  email text not null,
  expires_at timestamptz not null
);
create index mailed_links_by_email on mailed_links (email, purpose);

-- A sign-in that a person began at the identity provider and has not come back from.
create table provider_sign_ins (
  state_hash bytea primary key,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null
);

-- Operators stand beside organisations: they see to the installation and into no organisation.
create table operators (
  person_id text primary key references "user" ("id") on delete cascade,
  since timestamptz not null default clock_timestamp()
);
-- Where there was an owner of the first run already.
insert into operators (person_id)
  select u.id from facts f join "user" u on u.id = f.value ->> 'id' where f.name = 'owner';

-- What operators did. Only ever added to.
create table operator_actions (
  action_id uuid primary key,
  operator text not null,
  action text not null,
  target text not null,
  detail jsonb not null default '{}',
  done_at timestamptz not null default clock_timestamp()
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what operators did is only added to' using errcode = 'check_violation';
end $$;
create trigger guard_operator_actions before update or delete on operator_actions
  for each row execute function refuse_change();

alter table organisations
  add column suspended_at timestamptz,
  add column suspended_reason text check (length(suspended_reason) <= 500),
  -- By name; what is absent has its default.
  add column quotas jsonb not null default '{}' check (jsonb_typeof(quotas) = 'object');
