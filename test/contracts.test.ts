// Slipway with a contract of an operator, as processes: the served document, keys with scopes of the contract, and a
// contract that changes between two starts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContractFolders, refusalOf, startWith } from './own-contract.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type Run, type SlipwayInstance } from './slipway.ts';
import { ask, readNote, send, signIn } from './visitor.ts';

const folderWith = createContractFolders();

async function stop({ child, exited }: Run): Promise<void> {
  child.kill('SIGTERM');
  await exited;
}

interface ServedDocument {
  info: { title: string; version: string };
  paths: Record<string, object>;
  webhooks: Record<string, object>;
  components: { securitySchemes: { key: { 'x-scopes': Record<string, string> } } };
}

describe('from the first start to a changed contract', () => {
  let instance: SlipwayInstance;
  let run: Run;
  let cookie: string;
  let keys: string;
  beforeAll(async () => {
    instance = await createInstance(copyPreparedData);
    run = startWith(instance, folderWith());
    await run.ready;
    ({ cookie } = await signIn(instance, readNote(instance).link));
    const organisation = await send<{ id: string }>(
      `${instance.consoleUrl}/api/organisations`,
      { name: 'Tea friends' },
      { cookie },
    );
    const apps = `${instance.consoleUrl}/api/sandbox/organisations/${organisation.body.id}/apps`;
    const app = await send<{ id: string }>(apps, { name: 'Cups' }, { cookie });
    keys = `${apps}/${app.body.id}/keys`;
  });
  afterAll(() => instance.remove());

  const createKey = (input: object) =>
    send<{ token: string; key: { scopes: string[] }; code?: string }>(
      keys,
      { name: 'Kettle', expiresInDays: 30, ...input },
      { cookie },
    );

  test('the document of /v1 describes the scopes and events of the contract, and no path of the default contract', async () => {
    const { body } = await ask<ServedDocument>(`${instance.apiUrl}/v1/openapi.json`);
    expect(body.info).toMatchObject({ title: 'teashop API', version: '2.1.0' });
    expect(Object.keys(body.components.securitySchemes.key['x-scopes'])).toEqual([
      'teas:read',
      'teas:write',
      'events:read',
    ]);
    expect(Object.keys(body.webhooks)).toContain('tea.created');
    expect(JSON.stringify(body)).not.toMatch(/(publications|roadmap|servers):read|tickets:create|workflows:run/);
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/v1/servers'))).toEqual([]);
  });

  test('the pages of the Console load the scopes, the events and the kinds of the contract before their own code', async () => {
    const { body: page } = await ask<string>(`${instance.consoleUrl}/sign-in`);
    expect(page).toContain('<head><script src="/contract.js"></script>');
    const script = await ask<string>(`${instance.consoleUrl}/contract.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    const json = /^globalThis\.slipwayContract = (.+);\n$/.exec(script.body)?.[1] ?? '{}';
    expect(JSON.parse(json)).toMatchObject({
      scopes: { 'teas:read': 'Read teas' },
      keyPresets: { reader: ['teas:read'] },
      events: { 'tea.created': 'A tea was created.', ping: 'A test event without a resource.' },
      resources: [{ kind: 'tea', plural: 'teas', events: ['tea.created'] }],
    });
  });

  test('a key is created with a scope or a preset of the contract, and authenticates', async () => {
    const [byScope, byPreset] = [await createKey({ scopes: ['teas:write'] }), await createKey({ preset: 'reader' })];
    expect([byScope.status, byScope.body.key.scopes]).toEqual([201, ['teas:write']]);
    expect([byPreset.status, byPreset.body.key.scopes]).toEqual([201, ['teas:read']]);
    const headers = { authorization: `Bearer ${byScope.body.token}` };
    expect((await ask(`${instance.apiUrl}/v1/me`, { headers })).body).toMatchObject({ scopes: ['teas:write'] });
  });

  test.each([{ scopes: ['tickets:create'] }, { preset: 'tickets' }])('%j is refused', async (input) => {
    expect(await createKey(input)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('a contract that only adds parts starts, and existing apps may use its scope', async () => {
    await stop(run);
    run = startWith(
      instance,
      folderWith({ scopes: { 'cups:read': 'Read cups' }, fields: { origin: { type: 'string' } } }),
    );
    await run.ready;
    const { status, body } = await createKey({ scopes: ['cups:read'] });
    expect([status, body.key?.scopes]).toEqual([201, ['cups:read']]);
    const headers = { authorization: `Bearer ${body.token}` };
    expect((await ask(`${instance.apiUrl}/v1/me`, { headers })).body).toMatchObject({ scopes: ['cups:read'] });
  });

  test('an earlier contract and the default one are refused, and the stored one starts again', async () => {
    await stop(run);
    expect(await refusalOf(startWith(instance, folderWith()))).toEqual([
      expect.stringMatching(
        /^slipway: The contract teashop changes the contract teashop of the database in a way that breaks clients or data: scope cups:read: removed/,
      ),
    ]);
    expect(await refusalOf(instance.start())).toEqual([
      expect.stringMatching(
        /^slipway: The database has data of the contract teashop, and SLIPWAY_CONTRACT is missing\./,
      ),
    ]);
    run = startWith(
      instance,
      folderWith({ scopes: { 'cups:read': 'Read cups' }, fields: { origin: { type: 'string' } } }),
    );
    await run.ready;
  });
});
