#!/bin/sh
# Creates the login and the database of production. Run it once as the superuser of Postgres, after make-roles.sh.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --set production="$PRODUCTION_DATABASE_PASSWORD" <<'SQL'
create role slipway_production login password :'production';
grant slipway_api, slipway_authority, slipway_manager, slipway_worker, slipway_recorder to slipway_production;
create database slipway_production owner slipway_production encoding 'UTF8' template template0;
revoke all on database slipway_production from public;
SQL
