-- A sign-in that began before the sessions of its person were ended opens no session afterwards (docs/decisions/0070). The epoch counts those
-- ends. A session carries the epoch that was read before its credential was compared; a process of the last release writes none.
alter table "user" add column "accessEpoch" int not null default 0;
alter table session add column "accessEpoch" int;
create function check_access_epoch() returns trigger language plpgsql as $$
begin
  if new."accessEpoch" is null then return new; end if;
  -- Waits for a transaction that ends the sessions, and reads the epoch that it leaves.
  perform from "user" where id = new."userId" and "accessEpoch" = new."accessEpoch" for share;
  if not found then
    raise exception 'the sessions of the person were ended after the sign-in began' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger check_access_epoch before insert on session for each row execute function check_access_epoch();
