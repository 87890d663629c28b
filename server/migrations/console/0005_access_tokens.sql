-- Personal access tokens: for terminals and scripts, in the name of a member and in one organisation. They end with the
-- membership, because they hang on it.
create table access_tokens (
  token_id uuid primary key,
  organisation_id uuid not null,
  person_id text not null,
  -- The public half of its text.
  kid text not null unique check (length(kid) = 12),
  token_hash bytea not null check (length(token_hash) = 32),
  name text not null check (length(name) between 1 and 100),
  scope text not null check (scope in ('read', 'write')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '365 days'),
  last_used_at timestamptz,
  last_used_from text,
  foreign key (organisation_id, person_id) references members on delete cascade
);
create index access_tokens_by_organisation on access_tokens (organisation_id, token_id);
create index access_tokens_by_member on access_tokens (organisation_id, person_id);
