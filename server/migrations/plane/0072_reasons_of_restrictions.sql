-- The reason of a delivery names the organisation if the organisation restricts the grant. Workers judge deliveries.
grant select (app_id, server_id, scope, state) on installation_restrictions to slipway_worker;
create policy everyone on installation_restrictions for select to slipway_worker using (true);
