// The revocation of all keys that a person generated, which runs when a member is removed and is repeated after errors.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { recordCancellations } from '../../../test/cancellations.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

// A revocation that was committed can be answered with an error, because its wait for the workers failed.
test('a repeated revocation of the keys of a person cancels in-flight deliveries again', async () => {
  const app = await sandbox.newApp();
  const { id } = await app.key();
  const { body } = await sandbox.manage<{ data: { id: string; createdBy: string }[] }>('GET', `/apps/${app.id}/keys`);
  const createdBy = body.data.find((key) => key.id === id)?.createdBy;
  const cancelled = await recordCancellations(sandbox.plane, async () => {
    for (const revoked of [1, 0])
      expect((await sandbox.manage('POST', '/keys/revoke', { createdBy })).body).toEqual({ revoked });
  });
  const appId = fromId('app', app.id);
  const keysOf = cancelled.map((ones) => ones.filter((one) => one.appId === appId).map(({ keyId }) => keyId));
  // The keys that the first call revoked are not known any more, so the second one cancels all attempts of the app.
  expect(keysOf).toEqual([[fromId('key', id)], [null]]);
});
