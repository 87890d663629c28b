-- The HTTP status of the upstream API's response to the last failed request of the hour; null without a response. `status_of` is
-- the request with this status. A process of the previous release changes `request_id` and keeps both columns, so a status of
-- another request than `request_id` is unknown.
alter table upstream_failures add column status int, add column status_of uuid;
