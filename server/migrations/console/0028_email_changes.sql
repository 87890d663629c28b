-- A person can change the own e-mail address (docs/decisions/0093). Keys and other objects name their creator by the address of that time,
-- so earlier addresses stay.
create table earlier_emails (
  person_id text not null references "user" ("id") on delete cascade,
  email text not null check (length(email) <= 320),
  -- When the person last had this address.
  until timestamptz not null,
  primary key (person_id, email)
);

-- Links of a change belong to a person. Links of sign-ups and password resets belong to an address.
alter table mailed_links
  add column person_id text references "user" ("id") on delete cascade,
  drop constraint mailed_links_purpose_check,
  add constraint mailed_links_purpose_check check (purpose in ('sign_up', 'password_reset', 'email_change', 'email_undo')),
  add constraint mailed_links_person_check check ((person_id is not null) = (purpose in ('email_change', 'email_undo')));
create index mailed_links_by_person on mailed_links (person_id) where person_id is not null;

alter table security_changes
  drop constraint security_changes_change_check,
  add constraint security_changes_change_check check (change in ('second_factor_removal', 'provider_link', 'email_change'));
