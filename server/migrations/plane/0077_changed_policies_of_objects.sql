-- The owner is a member of slipway_api, so policies of this role also apply to it. The erasure of an app and a new contract
-- change objects that requests cannot change (docs/decisions/0104).
alter policy writable_insert on objects with check (is_writable or current_setting('role') <> 'slipway_api');
alter policy writable_update on objects using (is_writable or current_setting('role') <> 'slipway_api')
  with check (is_writable or current_setting('role') <> 'slipway_api');
alter policy writable_delete on objects using (is_writable or current_setting('role') <> 'slipway_api');
