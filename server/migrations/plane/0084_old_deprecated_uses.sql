-- Housekeeping deletes the counts of days that no reader counts any more.
grant delete on deprecated_uses to slipway_worker;
create policy housekeeping on deprecated_uses for delete to slipway_worker using (true);
