-- Attempts with a password, counted for each account before the password is compared. An unknown address has a row too, so that the
-- answer does not depend on whether there is an account.
create table password_tries (
  -- HMAC of the e-mail address.
  account_hash bytea not null check (length(account_hash) = 32),
  -- A network from which the person has signed in; empty for all other places together.
  place text not null check (length(place) <= 64),
  tries int not null,
  tried_at timestamptz not null,
  -- No password is compared before.
  next_at timestamptz not null,
  primary key (account_hash, place)
);
create index password_tries_by_age on password_tries (tried_at);
