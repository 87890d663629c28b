// A key that is about to expire, which nobody can make: the trigger that fixes its dates is set aside for it.
import { fromId } from '../src/kit/crypto/ids.ts';
import type { Sandbox, TestApp } from './app.ts';
import type { TestDatabase } from './harness.ts';

/** A key of this life, of which so much is left. */
export async function expiringKey(sandbox: Sandbox, app: TestApp, life: string, left: string): Promise<string> {
  const { id } = await app.key();
  await ageKey(sandbox.database, id, life, left);
  return id;
}

/** Gives a key these dates. */
export async function ageKey({ superuser }: TestDatabase, id: string, life: string, left: string): Promise<void> {
  await superuser.query('alter table keys disable trigger guard_key');
  await superuser.query(
    'update keys set expires_at = now() + $2::interval, created_at = now() + $2::interval - $3::interval where key_id = $1',
    [fromId('key', id), left, life],
  );
  await superuser.query('alter table keys enable trigger guard_key');
}
