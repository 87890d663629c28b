-- The member who caused an event from the Console or through the management API. The transaction names them in the same setting
-- that the history of grants reads. The default fills the column for old processes too; existing events keep null.
alter table events add column actor text;
alter table events alter column actor set default nullif(current_setting('slipway.actor', true), '');
