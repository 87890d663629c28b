// Production under the faults of the proof. An app changes objects of an upstream API through two nodes: one has a URL
// of several hosts, the other is connected directly to the primary of the round. During the fault the upstream API ends
// the app's access to one of two servers. After the response, no node may forward a change for this server.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startScript } from '../../bench/kit.ts';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { newProductionApp, PRODUCTION_SECRETS } from '../../test/production-instance.ts';
import { until } from '../../test/slipway.ts';
import { type ProductionCallers, repeatMutations, startCallers } from '../production/callers.ts';
import {
  approveApp,
  type PermittedMutation,
  preSendLogSettings,
  readLines,
  startUpstream,
} from '../production/setup.ts';
import type { FailoverCluster } from './cluster.ts';
import type { Member } from './member.ts';
import { endNode, hostsOf, startReadyNode, urlOf } from './service.ts';

/** Callers whose access continues. The upstream API answers slowly, so that changes are in flight at each fault. */
const COUNT = { readers: 1, writers: 4 };
/** Callers of each node whose access ends. */
const ENDING_WRITERS = 2;
const ENDING_EVERY_MS = 50;
const FORWARDING_MS = 30_000;
/** Half of the time that the slow upstream API needs for a change. */
const ON_ITS_WAY_MS = 200;

export interface ForwardingResult {
  /** The number of changes that were carried out and acknowledged. */
  made: number;
  /** The number of changes that reached the upstream API for the server on which access ended, before the response. */
  before: number;
  /** The number of responses of the directly connected node to changes that were asked for after the end of access. */
  answeredAfter: number;
  /** Changes that a node permitted after the response to the end of access. */
  late: string[];
  /** Changes that reached the upstream API under two keys, so that it carried them out twice. */
  doubled: string[];
  /** Acknowledged changes that a repeat does not return again. */
  lost: string[];
  /** Answers without an explanation. */
  strange: string[];
}

export interface Forwarding {
  /** Connects the second node to this member and starts the callers. */
  begin(member: Member, options: { isUnfenced: boolean }): Promise<void>;
  /** Resolves while a change is on its way through production. */
  untilForwarding(): Promise<void>;
  /** Ends the app's access to the server. Repeats the report until it is answered, and resolves then. */
  endAccess(): Promise<void>;
  /** Stops the callers when all of their changes are acknowledged, and restores the access. */
  end(): Promise<ForwardingResult>;
}

interface DirectNode {
  url: string;
  stop(): Promise<unknown>;
}

export async function startForwarding(cluster: FailoverCluster, folder: string): Promise<Forwarding> {
  const { url: upstreamUrl, upstream } = await startUpstream(folder);
  const [serverId = '', endingServerId = ''] = upstream.serverIds;
  const preSendLogs: string[] = [];

  async function start(name: string, hosts: string) {
    const [port, managementPort, monitoringPort] = [await freePort(), await freePort(), await freePort()];
    const preSendLog = join(folder, `${name}-${port}.permits`);
    preSendLogs.push(preSendLog);
    const env = {
      ...PRODUCTION_SECRETS,
      ...preSendLogSettings(preSendLog),
      SLIPWAY_DATA_DIR: join(folder, 'data'),
      SLIPWAY_PRODUCTION_DATABASE_URL: urlOf(hosts, 'slipway_production'),
      SLIPWAY_PRODUCTION_UPSTREAM_URL: upstreamUrl,
      SLIPWAY_PRODUCTION_STATUS_LEASE_MINUTES: '1440', // no Console renews it
      SLIPWAY_PRODUCTION_RATE_PER_SECOND: '100000',
      SLIPWAY_PRODUCTION_RATE_BURST: '100000',
      SLIPWAY_PRODUCTION_API_PORT: String(port),
      SLIPWAY_PRODUCTION_MANAGEMENT_PORT: String(managementPort),
      SLIPWAY_MONITORING_PORT: String(monitoringPort),
    };
    const monitoringUrl = `http://127.0.0.1:${monitoringPort}`;
    const args = ['api', '--environment', 'production'];
    const node = await startReadyNode({ name, args, env, folder, monitoringUrl });
    return { node, url: `http://127.0.0.1:${port}`, managementUrl: `http://127.0.0.1:${managementPort}` };
  }

  async function connectDirectly({ port }: Member, isUnfenced: boolean): Promise<DirectNode> {
    const hosts = `127.0.0.1:${port}`;
    if (!isUnfenced) {
      const { url, node } = await start('production-direct', hosts);
      return { url, stop: () => endNode(node) };
    }
    const preSendLog = join(folder, `unfenced-${port}.permits`);
    preSendLogs.push(preSendLog);
    const env = {
      ...preSendLogSettings(preSendLog),
      PROOF_DATABASE_URL: urlOf(hosts, 'slipway_production'),
      PROOF_UPSTREAM_URL: upstreamUrl,
    };
    const { firstLine, stop } = await startScript('prove/failover/unfenced-gateway.ts', [], env);
    return { url: firstLine, stop };
  }

  const following = await start('production-several-hosts', hostsOf(cluster));
  const app = await approveApp(newProductionApp(following.managementUrl), upstream.serverIds);
  await upstream.be('slow');

  let direct: DirectNode | undefined;
  let round = '';
  let callers: ProductionCallers | undefined;
  let over = new AbortController();
  let ending: Promise<unknown>[] = [];
  let endedAtMs = Number.POSITIVE_INFINITY;
  let reachedBefore = 0;
  let answeredAfter = 0;
  const called = { token: app.token, nodes: [following, following] as [{ url: string }, { url: string }] };

  /** Creates tickets until the round is over, each with its own idempotency key. Ignores the responses. */
  async function writeUntilOver({ url }: { url: string }): Promise<void> {
    while (!over.signal.aborted) {
      const isAfter = url === direct?.url && Date.now() > endedAtMs;
      const subject = `${round} ${randomUUID()}`;
      const headers = {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/json',
        'idempotency-key': subject,
      };
      const body = JSON.stringify({ subject, body: 'Of the proof.' });
      await fetch(`${url}/v1/servers/${endingServerId}/tickets`, { method: 'POST', headers, body, signal: over.signal })
        .then((answer) => answer.arrayBuffer())
        .then(() => {
          if (isAfter) answeredAfter += 1;
        })
        .catch(() => {}); // the node was ended, or the round is over
      await pause(ENDING_EVERY_MS);
    }
  }

  async function end(): Promise<ForwardingResult> {
    over.abort();
    await Promise.all(ending);
    // The directly connected node refuses everything from now on, so its callers repeat their changes elsewhere.
    called.nodes = [following, following];
    await callers?.stop();
    const { made = new Map<string, string>(), wrong = [] } = callers ?? {};
    callers = undefined;
    const lost = await repeatMutations(called, serverId, made);
    const reached = upstream.reached().slice(reachedBefore);
    const subjects = new Map(reached.map(({ key, subject }) => [key, subject]));
    const permitted = preSendLogs
      .flatMap((file) => readLines<PermittedMutation>(file))
      .filter(({ key }) => subjects.get(key)?.startsWith(round));
    const keys = new Map(reached.map(({ key, subject }) => [subject, key]));
    await app.allow(endingServerId, 'authorised');
    return {
      made: made.size,
      answeredAfter,
      before: permitted.filter(({ atMs }) => atMs <= endedAtMs).length,
      late: permitted
        .filter(({ atMs }) => atMs > endedAtMs)
        .map(({ key, atMs }) => `${key} after ${atMs - endedAtMs} ms`),
      doubled: reached.flatMap(({ subject, key }) => (keys.get(subject) === key ? [] : [subject])),
      lost: [...lost, ...(new Set(made.values()).size === made.size ? [] : ['one ticket for two changes'])],
      strange: wrong,
    };
  }

  return {
    async begin(member, { isUnfenced }) {
      if (callers) await end(); // of a round that was aborted
      await direct?.stop();
      direct = await connectDirectly(member, isUnfenced);
      round = randomUUID();
      reachedBefore = upstream.reached().length;
      answeredAfter = 0;
      endedAtMs = Number.POSITIVE_INFINITY;
      over = new AbortController();
      // The second is asked for each change again at the end of the round, when it follows the primary.
      called.nodes = [direct, following];
      callers = startCallers(called, serverId, COUNT);
      ending = called.nodes.flatMap((node) => Array.from({ length: ENDING_WRITERS }, () => writeUntilOver(node)));
    },
    endAccess() {
      const paused = app.allow(endingServerId, 'paused').then(() => {
        endedAtMs = Date.now();
      });
      ending.push(paused);
      return paused;
    },
    async untilForwarding() {
      await until(() => upstream.reached().some(({ atMs }) => Date.now() - atMs < ON_ITS_WAY_MS), FORWARDING_MS);
    },
    end,
  };
}
