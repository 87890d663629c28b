-- The views that a member saved: names for the filters of a list. Apps are in the databases of the environments, so `app_id` has no
-- foreign key.
create table saved_views (
  view_id uuid primary key,
  organisation_id uuid not null,
  person_id text not null,
  app_id uuid not null,
  page text not null,
  name text not null,
  filters text not null,
  unique (organisation_id, person_id, app_id, page, name),
  foreign key (organisation_id, person_id) references members on delete cascade
);
