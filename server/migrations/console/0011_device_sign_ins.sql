-- Terminals that ask to be signed in (RFC 8628): each shows a short code, which a person types into the Console. Of both codes a hash
-- is kept. What was approved becomes an access token when the terminal asks next, and the row goes with that.
create table device_sign_ins (
  sign_in_id uuid primary key,
  device_code_hash bytea not null unique check (length(device_code_hash) = 32),
  user_code_hash bytea not null unique check (length(user_code_hash) = 32),
  -- What it says of itself, and from where.
  device text not null check (length(device) between 1 and 100),
  address text not null,
  network inet not null,
  asked_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- How far apart its questions must be.
  interval_seconds int not null default 5,
  polled_at timestamptz,
  denied_at timestamptz,
  -- By whom it was approved, as what; it ends with the membership.
  organisation_id uuid,
  person_id text,
  scope text check (scope in ('read', 'write')),
  expires_in_days int check (expires_in_days between 1 and 365),
  check (num_nonnulls(organisation_id, person_id, scope, expires_in_days) in (0, 4)),
  foreign key (organisation_id, person_id) references members on delete cascade
);
create index device_sign_ins_by_network on device_sign_ins (network, asked_at);
create index device_sign_ins_by_member on device_sign_ins (organisation_id, person_id);
