-- The reference to a server implies the reference to its app. Postgres checks each reference of each inserted row: without
-- these three, the large sandbox inserts 260,000 rows with one check each in place of two.
alter table publications drop constraint publications_app_id_fkey;
alter table roadmap_items drop constraint roadmap_items_app_id_fkey;
alter table workflows drop constraint workflows_app_id_fkey;
