-- Passkeys (WebAuthn) are a second factor next to the codes of an authenticator (docs/decisions/0088). A passkey counts only while the
-- person's second factor is on, and is deleted with it.
create table passkeys (
  passkey_id uuid primary key,
  person_id text not null references "user" ("id") on delete cascade,
  -- The authenticator's identifier in base64url. An identifier belongs to one person.
  credential_id text not null unique check (length(credential_id) between 1 and 1400),
  -- A COSE key (RFC 9052).
  public_key bytea not null,
  -- The authenticator's counter of signatures, which must rise. It stays 0 for authenticators that do not count.
  signatures bigint not null check (signatures >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkeys_by_person on passkeys (person_id);

-- A challenge that an authenticator must sign. The primary key bounds the table: a newer challenge of a session or sign-in
-- replaces the previous one, and each insertion deletes the expired ones of the person.
create table passkey_challenges (
  -- SHA-256 of the token of the session or sign-in that requested the challenge.
  holder_hash bytea primary key check (length(holder_hash) = 32),
  person_id text not null references "user" ("id") on delete cascade,
  purpose text not null check (purpose in ('register', 'sign_in', 'verify')),
  challenge_hash bytea not null check (length(challenge_hash) = 32),
  expires_at timestamptz not null
);
create index passkey_challenges_by_person on passkey_challenges (person_id);
