// The processes of the proof: Postgres, an upstream API, two nodes of production's API and a worker, one node of the
// sandbox's API. An app with a key has access to two servers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScript } from '../../bench/kit.ts';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { type GrantState, SCOPES, type Scope } from '../../server/src/access/authority/index.ts';
import {
  type ProductionApp,
  type ProductionInstance,
  startProductionInstance,
} from '../../test/production-instance.ts';
import type { Run } from '../../test/slipway.ts';

/** `wild`: each response is drawn at random. `slow`: correct after a delay. `away`: unreachable. */
export type UpstreamBehaviour = 'honest' | 'slow' | 'wild' | 'away';

/** A mutation as the upstream API received it. */
export interface ReceivedMutation {
  atMs: number;
  key: string;
  subject: string;
  way: string;
}

/** A mutation that a node permitted. The node writes its header next. */
export interface PermittedMutation {
  key: string;
  atMs: number;
}

export interface ProductionNode {
  url: string;
  run: Run;
  /** The mutations that its processes permitted. */
  permitted(): PermittedMutation[];
  start(): Promise<void>;
}

export interface Upstream {
  serverIds: readonly string[];
  /** Changes its behaviour. Returns how many tickets it has created. */
  be(behaviour: UpstreamBehaviour): Promise<number>;
  reached(): ReceivedMutation[];
  signal(signal: NodeJS.Signals): void;
}

/** An approved app with a key. */
export interface LiveApp {
  token: string;
  /** Reports the grant of a server; resolves when it is answered. */
  allow(serverId: string, state: GrantState): Promise<void>;
}

export interface ProductionSetup extends Omit<ProductionInstance, 'upstream'>, LiveApp {
  nodes: [ProductionNode, ProductionNode];
  upstream: Upstream;
  /** Restricts the server, or one scope on it, as a member in the Console; resolves when it is answered. */
  restrict(serverId: string, state: GrantState, scope?: Scope): Promise<void>;
}

/** Returns the values in a file with a line of JSON for each. */
export const readLines = <Line>(file: string): Line[] =>
  readFileSync(file, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line); // the structure that the process writes

/** Starts the upstream API as a process. */
export async function startUpstream(
  folder: string,
): Promise<{ url: string; upstream: Upstream; stop(): Promise<void> }> {
  const log = join(folder, 'reached.log');
  const { child, firstLine, stop } = await startScript('prove/production/upstream.ts', [log]);
  const printed = JSON.parse(firstLine) as { url: string; controlUrl: string; serverIds: string[] }; // the JSON that it prints
  return {
    url: printed.url,
    stop,
    upstream: {
      serverIds: printed.serverIds,
      async be(behaviour: UpstreamBehaviour): Promise<number> {
        const answer = await fetch(`${printed.controlUrl}/?behaviour=${behaviour}`);
        return ((await answer.json()) as { tickets: number }).tickets; // the structure of its response
      },
      reached: () => readLines<ReceivedMutation>(log),
      signal: (signal: NodeJS.Signals) => void child.kill(signal),
    },
  };
}

const LOG_PERMITS = new URL('log-permits.mjs', import.meta.url).href;

/** Returns the settings with which a process logs the mutations that it permits into a file. */
export const preSendLogSettings = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${LOG_PERMITS}`,
  PROVE_PERMITS: file,
});

async function nodeOf(
  { instance }: ProductionInstance,
  settings: Record<string, string>,
  url: string,
  permits: string,
): Promise<ProductionNode> {
  const logged = { ...settings, ...preSendLogSettings(permits) };
  const start = () => instance.start(logged, ['api', '--environment', 'production']);
  const node: ProductionNode = {
    url,
    run: start(),
    permitted: () => readLines<PermittedMutation>(permits),
    start() {
      node.run = start();
      return node.run.ready;
    },
  };
  await node.run.ready;
  return node;
}

/** Repeats a request until it is answered, as an upstream API does. */
async function repeatUntilAnswered(send: () => Promise<{ status: number }>): Promise<void> {
  for (;;) {
    const { status } = await send();
    if (status === 200) return;
    if (status !== 503 && status !== 504) throw new Error(`A change of access was answered ${status}.`);
  }
}

/** Approves the app, creates a key, and authorises the app on the servers. */
export async function approveApp(
  { manage, ingest, appId }: ProductionApp,
  serverIds: readonly string[],
): Promise<LiveApp> {
  const order = { version: 1, name: 'Ticket bridge', scopes: SCOPES, maxServers: null, standing: 'active' };
  await manage('PUT', '/live-access', order, 'itself');
  const input = { name: 'Live', scopes: SCOPES, expiresInDays: 30 };
  const { body } = await manage<{ token: string }>('POST', '/keys', input);
  let version = 0;
  const app: LiveApp = {
    token: body.token,
    async allow(serverId, state) {
      const scopes = SCOPES.map((scope) => ({ scope, state: 'authorised' }));
      const grant = { version: ++version, serverName: 'Harbour', state, scopes };
      await repeatUntilAnswered(() => ingest('PUT', `/apps/${appId}/servers/${serverId}`, grant));
    },
  };
  for (const serverId of serverIds) await app.allow(serverId, 'authorised');
  return app;
}

export async function startProductionSetup(folder: string): Promise<ProductionSetup> {
  const production = await startProductionInstance();
  const { url, stop, upstream } = await startUpstream(folder);
  const fast = { SLIPWAY_PRODUCTION_RATE_PER_SECOND: '100000', SLIPWAY_PRODUCTION_RATE_BURST: '100000' };
  const settings = { ...production.settings, ...fast, SLIPWAY_PRODUCTION_UPSTREAM_URL: url };
  const ports = [String(await freePort()), String(await freePort())] as const;
  const portSettings = { SLIPWAY_PRODUCTION_API_PORT: ports[0], SLIPWAY_PRODUCTION_MANAGEMENT_PORT: ports[1] };
  const first = await nodeOf(production, settings, production.apiUrl, join(folder, 'first.log'));
  const second = await nodeOf(
    production,
    { ...settings, ...portSettings },
    `http://127.0.0.1:${ports[0]}`,
    join(folder, 'second.log'),
  );
  await production.instance.start(settings, ['worker', '--environment', 'production']).ready;

  const app = await approveApp(production, upstream.serverIds);
  return {
    ...production,
    ...app,
    nodes: [first, second],
    upstream,
    restrict(serverId, state, scope) {
      const path = `/servers/${serverId}/installation${scope === undefined ? '' : `/scopes/${scope}`}`;
      return repeatUntilAnswered(() => production.manage('PUT', path, { state }));
    },
    async remove() {
      await production.remove();
      await stop();
    },
  };
}
