-- How often codes of terminals were typed, from each network and by each person, within ten minutes: counted here, so that it holds
-- whichever node is asked.
create table user_code_tries (
  place text not null,
  since timestamptz not null,
  tries int not null,
  primary key (place, since)
);
