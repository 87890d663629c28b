#!/bin/sh
# Creates the roles and databases of docs/operate/install.md. The Postgres image runs it once, as its superuser.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres \
  --set sandbox="$SANDBOX_DATABASE_PASSWORD" --set console="$CONSOLE_DATABASE_PASSWORD" <<'SQL'
create role slipway_api nologin;
create role slipway_authority nologin;
create role slipway_manager nologin;
create role slipway_worker nologin;
create role slipway_recorder nologin;

create role slipway_sandbox login password :'sandbox';
grant slipway_api, slipway_authority, slipway_manager, slipway_worker, slipway_recorder to slipway_sandbox;
create database slipway_sandbox owner slipway_sandbox encoding 'UTF8' template template0;
revoke all on database slipway_sandbox from public;

create role slipway_console login password :'console';
create database slipway_console owner slipway_console encoding 'UTF8' template template0;
revoke all on database slipway_console from public;
SQL
