-- A reference that another one implies is looked up at each insert for nothing: a server is an app's, so a ticket on it is;
-- and a stored answer is written in a transaction in which no other app's row can be.
alter table tickets drop constraint tickets_app_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_app_id_fkey;
