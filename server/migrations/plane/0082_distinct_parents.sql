-- Postgres plans each statement once, for any object. From a few parents with thousands of objects it expected thousands
-- of children of each object, and then read all objects of the app for each in place of the index of parents: a deletion
-- of 20,000 objects took 50 s. Most objects have no children, so the statistics assume half as many parents as objects.
alter table objects alter column parent_id set (n_distinct = -0.5);
analyze objects (parent_id);
