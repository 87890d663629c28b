-- Members are known by an identifier of their own: a person's stays inside, and the same person elsewhere is another member.
alter table members add column member_id uuid not null default gen_random_uuid();
alter table members add unique (member_id);
create index members_by_organisation on members (organisation_id, member_id);

-- An invitation is bound to an address. Of its token only a hash is kept; the link is in the mail and, once, in the answer.
create table invitations (
  invitation_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 320),
  role text not null check (role in ('owner', 'admin', 'developer', 'auditor', 'viewer')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Who answers for it: when they lose the right to invite, it ends.
  inviter_id text not null,
  invited_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null check (expires_at <= created_at + interval '7 days'),
  accepted_at timestamptz,
  revoked_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);
create index invitations_by_organisation on invitations (organisation_id, invitation_id);
-- Inviting an address again voids what it was sent before.
create unique index invitations_open on invitations (organisation_id, email)
  where accepted_at is null and revoked_at is null;
