-- A backup reads every tenant's rows in the name of the login, which owns the tables and is held by forced row-level security like
-- everybody. Whoever plays a role, as each pool does, finds nothing new: the setting tells of the session's role also inside the
-- owner's functions.
do $$
declare
  walled regclass;
begin
  for walled in
    select oid::regclass from pg_class
    where relnamespace = 'public'::regnamespace and relforcerowsecurity and not relispartition order by relname
  loop
    execute format('create policy whole on %s for select to current_user using (current_setting(''role'') = ''none'')', walled);
  end loop;
end $$;
