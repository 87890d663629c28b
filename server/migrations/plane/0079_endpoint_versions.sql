-- A mutation reads the version of an endpoint's row with the access, and a worker compares it with the version from which it
-- knows the settings (docs/decisions/0101). The role slipway_api cannot read the settings themselves.
grant select (xmin) on endpoints to slipway_api, slipway_worker;
