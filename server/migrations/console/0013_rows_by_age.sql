-- Rows that go with their age are found by it: deletions of a bounded number of rows look for them again and again.
create index outbox_by_age on outbox (queued_at);
create index link_requests_by_age on link_requests (requested_at);
create index mailed_links_by_end on mailed_links (expires_at);
create index provider_sign_ins_by_end on provider_sign_ins (expires_at);
create index device_sign_ins_by_age on device_sign_ins (asked_at);
create index user_code_tries_by_age on user_code_tries (since);
create index used_codes_by_age on used_codes (used_at);
