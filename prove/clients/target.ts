// The sandbox that the generated clients call: an app with a key of every scope, and a key that reads servers only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchServer, readNote, root, signIn } from '../../bench/server.ts';
import { ask } from '../../test/visitor.ts';
import { callerOf } from '../schemathesis/setup.ts';

export interface Target {
  apiUrl: string;
  key: string;
  narrowKey: string;
  /** The servers of the app, in the order of the list. */
  serverIds: string[];
  /** The document that the sandbox serves, and the document of the management API. Both are unchanged. */
  documents: { v1: string; management: string };
  /** The document for tools that cannot read `webhooks`. */
  withoutWebhooks: string;
  /** Calls /v1 with the key of every scope. */
  call<Body>(path: string, init?: RequestInit): Promise<{ status: number; body: Body }>;
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}.`);
  return response.text();
}

export async function prepareTarget(at: BenchServer): Promise<Target> {
  const { link } = await readNote(at);
  const cookie = await signIn(at, link);
  const manage = callerOf(`${at.consoleUrl}/api`, cookie);
  const { organisations } = await manage<{ organisations: { id: string }[] }>('/session');
  const apps = `/sandbox/organisations/${organisations[0]?.id}/apps`;
  const { id } = await manage<{ id: string }>(apps, { body: { name: 'Clients' } });
  const keys = `${apps}/${id}/keys`;
  const wide = { name: 'wide', preset: 'everything', expiresInDays: 1 };
  const { token: key } = await manage<{ token: string }>(keys, { body: wide });
  const narrow = { name: 'narrow', scopes: ['servers:read'], expiresInDays: 1 };
  const { token: narrowKey } = await manage<{ token: string }>(keys, { body: narrow });
  const call = <Body>(path: string, init: RequestInit = {}) =>
    ask<Body>(at.apiUrl + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
  const { body } = await call<{ data: { id: string }[] }>('/v1/servers?limit=100');
  return {
    apiUrl: at.apiUrl,
    key,
    narrowKey,
    serverIds: body.data.map((server) => server.id),
    documents: {
      v1: await textOf(`${at.apiUrl}/v1/openapi.json`),
      management: readFileSync(join(root, 'contract/console.openapi.json'), 'utf8'),
    },
    withoutWebhooks: await textOf(`${at.apiUrl}/v1/openapi.json?webhooks=false`),
    call,
  };
}
