-- How an organisation ends, and what each environment has heard of how it stands. The Console decides; a plane that could not
-- be reached is told again until it has confirmed the latest version.

alter table organisations
  -- Until then its deletion can be taken back.
  add column delete_at timestamptz,
  -- Since when it cannot: planes erase, and the Console when they have.
  add column erasing_since timestamptz,
  -- Counts what environments have to hear; 0 while there was nothing.
  add column standing_version bigint not null default 0,
  add column standing_tried_at timestamptz,
  add check (erasing_since is null or delete_at is not null);
create index organisations_to_tell on organisations (standing_tried_at nulls first) where standing_version > 0;

-- Whoever changes how an organisation stands, and by whatever column (suspended, quotas, deleted): it is a new version.
create function count_standing() returns trigger language plpgsql as $$
declare
  said_elsewhere text[] := array['name', 'standing_version', 'standing_tried_at'];
begin
  if old.erasing_since is not null and new.erasing_since is distinct from old.erasing_since then
    raise exception 'erasing cannot be taken back' using errcode = '23514';
  end if;
  if to_jsonb(new) - said_elsewhere is distinct from to_jsonb(old) - said_elsewhere then
    new.standing_version := old.standing_version + 1;
  end if;
  return new;
end $$;
create trigger count_standing before update on organisations for each row execute function count_standing();

create table standing_receipts (
  organisation_id uuid not null references organisations on delete cascade,
  environment text not null check (environment in ('sandbox', 'production')),
  version bigint not null,
  -- How many apps it has there: erasing is over when there are none.
  apps int not null,
  confirmed_at timestamptz not null default clock_timestamp(),
  primary key (organisation_id, environment)
);
