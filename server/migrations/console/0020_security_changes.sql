-- How many times a person made a change on one day that is mailed each time: a thief with a session could otherwise flood the person's
-- mailbox, and hide the mail that matters.
create table security_changes (
  person_id text not null references "user" ("id") on delete cascade,
  change text not null check (change in ('second_factor_removal', 'provider_link')),
  -- Of UTC.
  day date not null,
  times int not null,
  primary key (person_id, change)
);
