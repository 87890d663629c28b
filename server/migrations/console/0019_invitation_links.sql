-- The links in the mails of an invitation. The inviter never sees their tokens, so that a token proves that its holder reads the mail
-- of the address. An invitation of an old process has none: its mail has the token that the inviter sees too.
create table invitation_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  invitation_id uuid not null references invitations on delete cascade,
  mailed_at timestamptz not null default clock_timestamp()
);
create index invitation_links_by_invitation on invitation_links (invitation_id, mailed_at);
