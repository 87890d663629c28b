-- A place that becomes free under the cap is given to a server that waits for one. Few servers wait, and an app has thousands.
create index upstream_installations_over_cap on upstream_installations (app_id, server_id) where is_over_cap;
