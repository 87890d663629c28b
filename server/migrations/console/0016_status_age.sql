-- Since when the environments have something to hear of an organisation's status that one of them has not confirmed: the Console's lease
-- names an organisation that waits too long (docs/decisions/0068).
alter table organisations add column standing_raised_at timestamptz;
create or replace function count_standing() returns trigger language plpgsql as $$
declare
  said_elsewhere text[] := array['name', 'standing_version', 'standing_tried_at', 'standing_raised_at'];
begin
  if old.erasing_since is not null and new.erasing_since is distinct from old.erasing_since then
    raise exception 'erasing cannot be taken back' using errcode = '23514';
  end if;
  if to_jsonb(new) - said_elsewhere is distinct from to_jsonb(old) - said_elsewhere then
    new.standing_version := old.standing_version + 1;
  end if;
  -- A further change does not begin the time again while an earlier one is not confirmed.
  if new.standing_version <> old.standing_version and (old.standing_raised_at is null or exists (
      select from standing_receipts r where r.organisation_id = old.organisation_id and r.version = old.standing_version)) then
    new.standing_raised_at := clock_timestamp();
  end if;
  return new;
end $$;
create function newest_audit_head() returns table (organisation_id uuid, sequence bigint, hash text) language sql stable as $$
  select organisation_id, sequence, encode(hash, 'hex') from audit_heads where hash is not null order by at desc limit 1
$$;
