-- Receipts of revocations (docs/decisions/0090). The transaction of a revocation stores its receipt; the signature follows once the workers have
-- confirmed, and is never changed. Receipts are kept as long as the audit log: the erasure of an app keeps them, that of an organisation erases
-- them. Identifiers alone.
create table revocation_receipts (
  organisation_id uuid not null,
  receipt_id uuid not null,
  app_id uuid not null,
  request_id text,
  keys jsonb not null,
  grants jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  jws text,
  signed_at timestamptz,
  primary key (organisation_id, receipt_id),
  check ((jws is null) = (signed_at is null))
);
create index revocation_receipts_unsigned on revocation_receipts (created_at) where jws is null;
alter table revocation_receipts enable row level security;
alter table revocation_receipts force row level security;
-- For the owner too, who erases the receipts of an organisation.
create policy organisation on revocation_receipts
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy everyone on revocation_receipts to slipway_worker using (true) with check (true);
create policy whole on revocation_receipts for select to current_user using (current_setting('role') = 'none');
grant select, insert (organisation_id, receipt_id, app_id, request_id, keys, grants), update (jws, signed_at)
  on revocation_receipts to slipway_manager;
grant select, update (jws, signed_at) on revocation_receipts to slipway_worker;

create function keep_signed() returns trigger language plpgsql as $$
begin
  if old.jws is not null then raise exception 'a signed receipt is not changed' using errcode = '23514'; end if;
  return new;
end $$;
create trigger keep_signed before update on revocation_receipts for each row execute function keep_signed();

-- The public keys of signed receipts. Private keys are derived from the master key and stored nowhere.
create table receipt_keys (
  key_id text primary key check (length(key_id) = 43),
  public_key bytea not null check (length(public_key) = 32),
  created_at timestamptz not null default clock_timestamp()
);
grant select on receipt_keys to slipway_manager;
grant insert (key_id, public_key) on receipt_keys to slipway_manager, slipway_worker;

create or replace function erase_audit_chain(erased uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, public as $$
begin
  perform set_config('slipway.erased_organisation', erased::text, true);
  delete from audit_entries where organisation_id = erased;
  delete from revocation_receipts where organisation_id = erased;
  update audit_heads set erased_at = clock_timestamp() where organisation_id = erased;
  perform set_config('slipway.erased_organisation', '', true);
end $$;

create or replace function erase_rows(of_app_id uuid, from_table text, max_rows int) returns int language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  leaf regclass;
  erased int;
  total int := 0;
begin
  perform refuse_early_erasing(of_app_id);
  if from_table in ('apps', 'audit_entries', 'revocation_receipts') then raise exception '% is not erased row by row', from_table; end if;
  for leaf in
    select relid from pg_partition_tree(from_table::regclass) where isleaf
    union all select from_table::regclass where not exists (select from pg_partition_tree(from_table::regclass))
  loop
    execute format('with gone as (
        delete from %1$s where ctid = any (array(select ctid from %1$s where app_id = $1 limit $2)) returning 1)
      select count(*) from gone', leaf) into erased using of_app_id, max_rows - total;
    total := total + erased;
    exit when total >= max_rows;
  end loop;
  return total;
end $$;
