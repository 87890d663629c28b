-- When owners were last mailed that a person has a role: an admin who takes the role away and gives it again could flood their mailboxes.
create table appointment_mails (
  organisation_id uuid not null references organisations on delete cascade,
  person_id text not null references "user" ("id") on delete cascade,
  role text not null,
  mailed_at timestamptz not null,
  primary key (organisation_id, person_id, role)
);
create index appointment_mails_by_person on appointment_mails (person_id);
