-- A member who is suspended keeps role and history and has no access. `slipway-server reopen` suspends members after a restore
-- (docs/decisions/0061); an owner or admin reinstates a member by giving a role.
alter table members add column suspended_at timestamptz;
