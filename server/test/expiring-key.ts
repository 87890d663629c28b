// A key that is about to expire. The API cannot create one, so the trigger that fixes its dates is disabled meanwhile.
import { fromId } from '../src/kit/crypto/ids.ts';
import type { Sandbox, TestApp } from './app.ts';
import type { TestDatabase } from './harness.ts';

/** Creates a key with this lifetime and remaining time. */
export async function expiringKey(sandbox: Sandbox, app: TestApp, life: string, left: string): Promise<string> {
  const { id } = await app.key();
  await ageKey(sandbox.database, id, life, left);
  return id;
}

/** Sets the dates of a key. */
export async function ageKey({ superuser }: TestDatabase, id: string, life: string, left: string): Promise<void> {
  await superuser.query('alter table keys disable trigger guard_key');
  await superuser.query(
    'update keys set expires_at = now() + $2::interval, created_at = now() + $2::interval - $3::interval where key_id = $1',
    [fromId('key', id), left, life],
  );
  await superuser.query('alter table keys enable trigger guard_key');
}
