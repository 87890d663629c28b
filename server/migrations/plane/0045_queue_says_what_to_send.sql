-- What a claim has to know of a delivery stands in the queue (docs/decisions/0056): nothing is looked up among the millions that are
-- over. Null in a row of before, and in one that an older node makes while this version is rolled out: of that the delivery is asked.
alter table queue add column trigger text, add column schema_version smallint;
