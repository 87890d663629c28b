-- A key that a page in a browser used: one notice for each key, origin of the page and day of UTC, and at most five a day for each key.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser'))
  not valid;
-- Null where the origin cannot be shown.
alter table notices add column page_origin text;
-- The place of the notice among the five of its key and day.
alter table notices add column page_slot smallint;
alter table notices add constraint notices_page_check check (
  (kind = 'key_in_browser') = (page_slot is not null) and page_slot between 1 and 5
  and (page_origin is null or (page_slot is not null and length(page_origin) between 1 and 255))) not valid;

-- Notices of the kinds that the last release does not know. Its processes hand over every notice without `taken_at`, and its Console
-- refuses a whole batch with an unknown kind: such a notice has `taken_at` from the start, and this says that its mail is due.
alter table notices add column is_mail_due boolean not null default false;
grant update (is_mail_due) on notices to slipway_manager;
create index notices_mail_due on notices (notice_id) where is_mail_due;

drop index notices_once;
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct
  where endpoint_id is null and request_id is null and page_slot is null;
create unique index notices_of_pages_once on notices (app_id, key_id, (timezone('UTC', created_at)::date), page_origin)
  nulls not distinct where page_slot is not null;
create unique index notices_of_pages_bounded on notices (app_id, key_id, (timezone('UTC', created_at)::date), page_slot)
  where page_slot is not null;
