-- /readyz says which schema the database has, and is asked through the pool that decides whether calls can be answered at all.
grant select (version) on schema_migrations to slipway_authority;
