-- The Console's own audit log: one chain per organisation, as a plane has (plane/0019), with the same functions.

create table audit_entries (
  organisation_id uuid not null,
  audit_id uuid not null,
  app_id uuid,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'token', 'machine', 'operator')),
  actor_id text,
  -- Their name: a person's e-mail address.
  actor text not null,
  action text not null,
  target text not null,
  -- As it was written: its bytes are in the hash.
  detail json not null,
  request_id text,
  client_address text,
  sequence bigint not null,
  previous_hash bytea check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (organisation_id, audit_id),
  unique (organisation_id, sequence),
  check ((sequence = 1) = (previous_hash is null))
);
-- Newest first, for all actions or within a time.
create index audit_entries_by_time on audit_entries (organisation_id, at desc, sequence desc);

-- Where each chain ends: the row that the writers of one organisation wait for each other at.
create table audit_heads (
  organisation_id uuid primary key,
  sequence bigint not null check (sequence > 0),
  at timestamptz not null,
  hash bytea check (length(hash) = 32),
  -- Since when what came up to it is gone, with its organisation.
  erased_at timestamptz
) with (fillfactor = 50);

-- Every field as the number of its bytes, a colon and its bytes, `-` for none: two rows never have the same text.
create function audit_field(field text) returns text language sql immutable
  return coalesce(octet_length(field) || ':' || field, '-');
create function audit_hash(entry audit_entries) returns bytea language sql stable
  return sha256(convert_to(concat(
    audit_field('slipway-audit-1'), audit_field(entry.organisation_id::text), audit_field(entry.sequence::text),
    audit_field(encode(entry.previous_hash, 'hex')), audit_field(entry.audit_id::text),
    audit_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
    audit_field(entry.actor_kind), audit_field(entry.actor_id), audit_field(entry.actor), audit_field(entry.action),
    audit_field(entry.target), audit_field(entry.app_id::text), audit_field(entry.detail::text),
    audit_field(entry.request_id), audit_field(entry.client_address)), 'UTF8'));

-- The database numbers, dates and hashes: who may write an entry cannot choose its place. As the owner, because nobody else
-- may touch a head.
create function chain_audit_entry() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public as $$
begin
  insert into audit_heads as head (organisation_id, sequence, at) values (new.organisation_id, 1, clock_timestamp())
    on conflict (organisation_id) do update
      -- Never dated before the one before it, whatever the clock does: by time and by sequence the order is one.
      set sequence = head.sequence + 1, at = greatest(head.at, clock_timestamp())
    returning head.sequence, head.at, head.hash into new.sequence, new.at, new.previous_hash;
  new.hash := audit_hash(new);
  update audit_heads set hash = new.hash where organisation_id = new.organisation_id;
  return new;
end $$;

create function keep_audited() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if old.organisation_id::text = current_setting('slipway.erased_organisation', true) then return old; end if;
  end if;
  raise exception 'what was audited stays as it is' using errcode = '23514';
end $$;

-- A deleted organisation's chain goes as a whole; its head stays and tells where it ended.
create function erase_audit_chain(erased uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, public as $$
begin
  perform set_config('slipway.erased_organisation', erased::text, true);
  delete from audit_entries where organisation_id = erased;
  update audit_heads set erased_at = clock_timestamp() where organisation_id = erased;
  perform set_config('slipway.erased_organisation', '', true);
end $$;

create trigger chain before insert on audit_entries for each row execute function chain_audit_entry();
create trigger keep before update or delete on audit_entries for each row execute function keep_audited();
create trigger keep_all before truncate on audit_entries for each statement execute function keep_audited();
