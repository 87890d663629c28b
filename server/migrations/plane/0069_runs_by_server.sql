-- The list of a server's workflow runs.
create index workflow_runs_by_server on workflow_runs (app_id, server_id, workflow_run_id desc);
