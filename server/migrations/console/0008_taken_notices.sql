-- The notices of planes whose mail is queued: written with the mail, so that a notice that is handed over again is known.
create table taken_notices (
  environment text not null,
  notice_id text not null,
  taken_at timestamptz not null default clock_timestamp(),
  primary key (environment, notice_id)
);
create index taken_notices_by_age on taken_notices (taken_at);
