-- One row holds the password of a person (docs/decisions/0070). A first password that was set during a password reset could leave a second
-- row, inserted later. The oldest row stays: it is the reset's, and a sign-in compares it in practice, because Postgres returns it first.
-- The lock stops processes of the last release from inserting between the deletion and the index.
lock table account in share row exclusive mode;
delete from account a using account b
where a."providerId" = 'credential' and b."providerId" = 'credential' and b."userId" = a."userId"
  and (b."createdAt", b.id) < (a."createdAt", a.id);
create unique index account_one_password on account ("userId") where "providerId" = 'credential';
