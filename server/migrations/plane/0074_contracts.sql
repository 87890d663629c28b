-- A contract of an operator has scopes of its own (docs/decisions/0103): their form is checked, and the server checks their names.
create function are_scopes(named text[]) returns boolean language sql immutable parallel safe
  return cardinality(named) <= 1000
    and not exists (select from unnest(named) one where one is null or one !~ '^[a-z][a-z_]{0,29}:[a-z][a-z_]{0,29}$');

-- Each new check accepts every row that the earlier one accepted, so no row is read.
alter table apps drop constraint apps_approved_scopes_check,
  add constraint apps_approved_scopes_check check (are_scopes(approved_scopes)) not valid;
alter table keys drop constraint keys_scopes_check,
  add constraint keys_scopes_check check (cardinality(scopes) >= 1 and are_scopes(scopes)) not valid;
alter table installation_scopes drop constraint installation_scopes_scope_check,
  add constraint installation_scopes_scope_check check (are_scopes(array[scope])) not valid;
alter table installation_restrictions drop constraint installation_restrictions_scope_check,
  add constraint installation_restrictions_scope_check check (scope = '*' or are_scopes(array[scope])) not valid;
alter table installation_changes drop constraint installation_changes_scopes_check,
  add constraint installation_changes_scopes_check check (cardinality(scopes) between 1 and 1000) not valid;

-- The contract of an operator under which the data was written. Without a row, it is the default contract.
create table plane_contract (
  is_only boolean primary key default true check (is_only),
  name text not null,
  hash text not null check (length(hash) = 64),
  -- Not jsonb, which refuses some texts of JSON.
  document json not null,
  stored_at timestamptz not null default clock_timestamp()
);

-- Sandbox apps may use each scope of the contract, so a scope that a new version adds is approved for existing apps.
create function approve_scopes(approved text[]) returns void language plpgsql as $$
declare
  one uuid;
begin
  for one in select app_id from apps where not approved_scopes @> approved loop
    perform set_config('slipway.app_id', one::text, true);
    update apps set approved_scopes = approved where app_id = one;
  end loop;
  perform set_config('slipway.app_id', '', true);
end $$;
