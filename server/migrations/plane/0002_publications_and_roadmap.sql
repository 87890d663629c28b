-- What a community publishes and plans: two more collections of the synthetic world.

create table publications (
  app_id uuid not null references apps,
  publication_id uuid not null,
  server_id uuid not null,
  channel text not null,
  title text not null,
  body_markdown text not null,
  status text not null check (status in ('draft', 'scheduled', 'published', 'archived')),
  author text not null,
  tags text[] not null,
  published_at timestamptz,
  created_at timestamptz not null,
  -- The sequence of its latest event: contiguous per subject, because it comes from the subject's own row.
  event_sequence int not null default 0,
  primary key (app_id, publication_id),
  foreign key (app_id, server_id) references servers,
  check ((status = 'draft') = (published_at is null))
);
create index publications_by_server on publications (app_id, server_id, publication_id desc);

create table roadmap_items (
  app_id uuid not null references apps,
  roadmap_item_id uuid not null,
  server_id uuid not null,
  title text not null,
  description text not null,
  status text not null check (status in ('idea', 'planned', 'in_progress', 'shipped', 'declined')),
  category text not null,
  position int not null check (position >= 0),
  vote_count int not null check (vote_count >= 0),
  target_quarter text check (target_quarter ~ '^\d{4}-Q[1-4]$'),
  created_at timestamptz not null,
  event_sequence int not null default 0,
  primary key (app_id, roadmap_item_id),
  foreign key (app_id, server_id) references servers
);
create index roadmap_items_by_server on roadmap_items (app_id, server_id, roadmap_item_id desc);

alter table publications enable row level security;
alter table publications force row level security;
alter table roadmap_items enable row level security;
alter table roadmap_items force row level security;
create policy tenant on publications to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on roadmap_items to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
grant select on publications, roadmap_items to slipway_api;
grant select, insert, update, delete on publications, roadmap_items to slipway_manager;
call count_revision('publications', 'publications');
call count_revision('roadmap_items', 'roadmap');
