-- How a member receives the notices of an organisation by mail. Without a row, the role of the member decides.
create table notice_mail_settings (
  organisation_id uuid not null,
  person_id text not null,
  timing text check (timing in ('immediately', 'daily', 'never')),
  muted_kinds text[] not null,
  primary key (organisation_id, person_id),
  foreign key (organisation_id, person_id) references members on delete cascade
);

-- The notices of one cause that wait to be mailed to a member, and when the member was last mailed about the cause. A mail is due an
-- hour after the previous one at the earliest (docs/decisions/0086). `further` counts notices beyond those in `waiting`.
create table notice_mails (
  organisation_id uuid not null,
  person_id text not null,
  environment text not null,
  cause text not null,
  waiting jsonb not null,
  further integer not null default 0,
  due_at timestamptz,
  mailed_at timestamptz,
  primary key (organisation_id, person_id, environment, cause),
  foreign key (organisation_id, person_id) references members on delete cascade,
  check ((due_at is null) = (waiting = '[]')),
  check (due_at is not null or mailed_at is not null)
);
create index notice_mails_due on notice_mails (due_at) where due_at is not null;
create index notice_mails_by_age on notice_mails (mailed_at) where due_at is null;
