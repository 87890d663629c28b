-- What an organisation should know of its keys without looking: that one is about to expire, or was reported as leaked.

create table notices (
  organisation_id uuid not null,
  notice_id uuid not null,
  app_id uuid not null,
  key_id uuid not null,
  kind text not null check (kind in ('key_expires', 'key_leaked')),
  -- Of an expiry: how many days before it.
  days_ahead smallint check (days_ahead in (1, 7)),
  -- As they were then: a notice is read, and mailed, without another look at key and app.
  app_name text not null,
  key_name text not null,
  kid text not null,
  key_created_by text not null,
  expires_at timestamptz not null,
  -- Of a leak: where it was found, when whoever reported it says so.
  found_at text check (length(found_at) between 1 and 2048),
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  read_by text,
  -- The Console has queued its mail.
  taken_at timestamptz,
  primary key (organisation_id, notice_id),
  foreign key (app_id, key_id) references keys on delete cascade,
  check ((kind = 'key_expires') = (days_ahead is not null)),
  check ((read_at is null) = (read_by is null))
);
-- Each once, whoever writes it: two workers, or one that was started again.
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct;
create index notices_untaken on notices (notice_id) where taken_at is null;
create index notices_by_age on notices (created_at);
create index keys_by_expiry on keys (expires_at);

alter table notices enable row level security;
alter table notices force row level security;
create policy organisation on notices to slipway_manager
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
-- The Console's own process, which mails them, belongs to no organisation.
create policy console_reads on notices for select to slipway_manager
  using (current_setting('slipway.asks', true) = 'console');
create policy console_takes on notices for update to slipway_manager
  using (current_setting('slipway.asks', true) = 'console');
create policy everyone on notices to slipway_worker using (true) with check (true);
grant select, insert, update (read_at, read_by, taken_at) on notices to slipway_manager;
grant select, insert, delete on notices to slipway_worker;
call let_erase('notices');
-- What a warning of an expiry says of key and app.
grant select (kid, name, created_by, created_at) on keys to slipway_worker;
grant select (name) on apps to slipway_worker;
