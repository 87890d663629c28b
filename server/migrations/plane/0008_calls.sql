-- A call that a person made in the Console by a key's id names them; a call with the key's secret names nobody.
alter table request_records add column called_by text;
