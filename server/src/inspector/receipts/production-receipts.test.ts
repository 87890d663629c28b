// Receipts in production: of a key, of restrictions by a member, and of statements by the upstream API.
import { expect, test } from 'vitest';
import { useInstalledApp } from '../../../test/installed-app.fixture.ts';
import { type ReceiptContent, readReceipt } from './receipts.fixture.ts';

const { production, app, server, state, restrict, manage } = useInstalledApp();

/** Calls an operation of the organisation; `manage` names an app in its path. */
const ofOrganisation = <Body>(method: string, path: string, body?: unknown) =>
  manage<Body>(method, `/../..${path}`, body);
const read = (receiptId: string): Promise<ReceiptContent> =>
  readReceipt({ manage: ofOrganisation }, receiptId, production().plane.receipts.listKeys);

async function listIds(): Promise<string[]> {
  const { body } = await ofOrganisation<{ data: { id: string }[] }>('GET', `/revocation-receipts?appId=${app().id}`);
  return body.data.map(({ id }) => id);
}

test('a revoked key has a receipt of production', async () => {
  const { id } = await app().key();
  const { body } = await manage<{ receiptId: string }>('POST', `/keys/${id}/revoke`);
  expect(await read(body.receiptId)).toMatchObject({
    environment: 'production',
    iss: 'http://production.test',
    revoked: { keys: [{ keyId: id }] },
  });
});

test('a restriction of a server, and of a scope, has a receipt', async () => {
  await restrict(server(), 'revoked', 'roadmap:read');
  await restrict(server(), 'revoked');
  const [whole = '', scope = ''] = await listIds();
  expect((await read(scope)).revoked.grants).toEqual([{ serverId: server(), scopes: ['roadmap:read'] }]);
  expect((await read(whole)).revoked.grants).toEqual([{ serverId: server(), scopes: null }]);
});

test('a revocation that the upstream API states has a receipt', async () => {
  await state(server(), 'revoked');
  const [receiptId = ''] = await listIds();
  expect((await read(receiptId)).revoked.grants).toEqual([{ serverId: server(), scopes: null }]);
});
