-- For who means a server (docs/decisions/0051): a workflow is looked up by its key, also where that was planned on an empty table.
drop index workflows_by_server;
create index workflows_by_server on workflows (app_id, server_id, workflow_id desc) where server_id is not null;
