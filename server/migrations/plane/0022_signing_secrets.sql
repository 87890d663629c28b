-- Signing secrets are rotated with an overlap, and whatever is sealed is put under another master key while deliveries run
-- (docs/decisions/0032).

-- While `previous_secret_ends_at` is to come, deliveries are signed with both. The secret is erased after it, the date stays.
alter table endpoints
  add column sealed_previous_secret bytea,
  add column previous_secret_ends_at timestamptz,
  add column secret_rotated_at timestamptz,
  add check (sealed_previous_secret is null or previous_secret_ends_at is not null),
  add check ((previous_secret_ends_at is null) = (secret_rotated_at is null)),
  add check (previous_secret_ends_at <= secret_rotated_at + interval '7 days');
create index endpoints_with_two_secrets on endpoints (previous_secret_ends_at) where sealed_previous_secret is not null;
grant update (sealed_previous_secret, previous_secret_ends_at, secret_rotated_at) on endpoints to slipway_manager;

-- The id of the master key that sealed it (kit/seal.ts has the layout).
create function master_key_of(sealed bytea) returns text language sql immutable strict parallel safe
  return encode(substring(sealed from 3 for get_byte(sealed, 1)), 'escape');

-- Who signs reads all of it; the same role puts it under another master key, and erases what is over.
grant select (sealed_previous_secret, previous_secret_ends_at), update (sealed_secret, sealed_previous_secret, sealed_headers)
  on endpoints to slipway_worker;
