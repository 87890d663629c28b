-- A key that is seen under an earlier pepper is put under the current one. It is not a change of access: no mutation is
-- waited for, and none waits.
grant select (pepper_version), update (verifier, pepper_version) on keys to slipway_manager;
-- Who counts the keys that still need an earlier one.
grant select (pepper_version) on keys to slipway_worker;

create function guard_verifier() returns trigger language plpgsql as $$
begin
  if (new.verifier = old.verifier) <> (new.pepper_version = old.pepper_version) then
    raise exception 'a verifier and its pepper change together' using errcode = '23514';
  end if;
  if new.pepper_version < old.pepper_version then
    raise exception 'a key is never put under an earlier pepper' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_verifier before update of verifier, pepper_version on keys
  for each row execute function guard_verifier();
