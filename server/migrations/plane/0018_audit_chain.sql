-- The audit log becomes one chain per organisation: each row holds the hash of the one before it, so that a row which was
-- changed, removed, moved or put in between is found out by whoever follows the hashes (docs/decisions/0027). The Console's
-- database has the same.

-- As it was written, not as Postgres would write it: its bytes are in the hash.
create function pg_temp.canonical(value jsonb) returns text language sql as $$
  select case jsonb_typeof(value)
    when 'object' then (select '{' || coalesce(string_agg(to_json(f.key)::text || ':' || pg_temp.canonical(f.value), ','
      order by f.key collate "C"), '') || '}' from jsonb_each(value) f)
    when 'array' then (select '[' || coalesce(string_agg(pg_temp.canonical(e.value), ',' order by e.at), '') || ']'
      from jsonb_array_elements(value) with ordinality as e (value, at))
    else value::text end
$$;
alter table audit_entries alter column detail type json using pg_temp.canonical(detail)::json;

-- `actor` is their name, a person's e-mail address; the id tells them apart when names change.
alter table audit_entries
  add column actor_kind text not null default 'person' check (actor_kind in ('person', 'token', 'machine', 'operator')),
  add column actor_id text,
  add column request_id text,
  add column client_address text,
  add column sequence bigint,
  add column previous_hash bytea check (length(previous_hash) = 32),
  add column hash bytea check (length(hash) = 32);
alter table audit_entries alter column actor_kind drop default;

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

-- What is there already is taken in as it stands, in the order of its time.
alter table audit_entries no force row level security;
create trigger chain before insert on audit_entries for each row execute function chain_audit_entry();
do $$
declare
  entry audit_entries;
  before_it audit_entries;
begin
  for entry in select * from audit_entries order by organisation_id, at, audit_id loop
    if before_it.organisation_id is distinct from entry.organisation_id then before_it := null; end if;
    entry.sequence := coalesce(before_it.sequence, 0) + 1;
    entry.previous_hash := before_it.hash;
    entry.hash := audit_hash(entry);
    update audit_entries set sequence = entry.sequence, previous_hash = entry.previous_hash, hash = entry.hash
      where organisation_id = entry.organisation_id and audit_id = entry.audit_id;
    before_it := entry;
  end loop;
end $$;
insert into audit_heads (organisation_id, sequence, at, hash)
  select distinct on (organisation_id) organisation_id, sequence, at, hash
  from audit_entries order by organisation_id, sequence desc;
alter table audit_entries force row level security;

alter table audit_entries
  alter column sequence set not null,
  alter column hash set not null,
  add unique (organisation_id, sequence),
  add check ((sequence = 1) = (previous_hash is null));
-- Newest first, for all actions or within a time.
create index audit_entries_by_time on audit_entries (organisation_id, at desc, sequence desc);
create trigger keep before update or delete on audit_entries for each row execute function keep_audited();
create trigger keep_all before truncate on audit_entries for each statement execute function keep_audited();

-- For everybody, the owner too, in whose name the chain is written.
drop policy organisation on audit_entries;
create policy organisation on audit_entries
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
alter table audit_heads enable row level security;
alter table audit_heads force row level security;
create policy organisation on audit_heads
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
revoke insert on audit_entries from slipway_manager;
grant insert (organisation_id, audit_id, app_id, actor_kind, actor_id, actor, action, target, detail, request_id,
  client_address) on audit_entries to slipway_manager;
grant select on audit_heads to slipway_manager;
revoke execute on function chain_audit_entry, erase_audit_chain from public;
grant execute on function erase_audit_chain to slipway_manager;
