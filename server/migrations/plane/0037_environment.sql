-- Which environment the database is of. It is written by the first start, and none of the other environment starts on it from then
-- on: what is proved of one would not hold on rows of the other.
alter table plane_state add column environment text check (environment in ('sandbox', 'production'));
