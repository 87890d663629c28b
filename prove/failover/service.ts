// The processes of Slipway under proof, from the built server: an API node through haproxy and one with a URL of several
// hosts, two workers and a Console. An API node and a worker are connected directly to the primary of the round.
import { join } from 'node:path';
import { startScript } from '../../bench/kit.ts';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { type Node, startNode } from '../../scripts/nodes/node.ts';
import { claimDatabase, PLANE_ROLES, provision } from '../../server/src/boot/provision.ts';
import { secret } from '../../server/src/kit/crypto/secret.ts';
import { migrate } from '../../server/src/kit/db/migrate.ts';
import { root, until } from '../../test/slipway.ts';
import { atEnd } from './children.ts';
import type { FailoverCluster } from './cluster.ts';
import { DIRECT } from './ledger.ts';
import type { Member } from './member.ts';

const PASSWORD = 'for proofs only';
const CONSOLE_SECRET = 'the secret of the Console in proofs, long enough';
const READY_MS = 120_000;
/** The number of workers: two that follow the primary, and the directly connected one. */
export const WORKERS = 3;

/** A process whose readiness is observed. */
export interface ServiceProcess {
  name: string;
  monitoringUrl: string;
}

export interface ApiNode extends ServiceProcess {
  url: string;
  managementUrl: string;
}

export interface FailoverService {
  /** The sandbox's database through haproxy. */
  databaseUrl: string;
  superuserUrl: string;
  /** The nodes that follow the primary. */
  nodes: readonly ApiNode[];
  /** All processes that must be ready again after a fault. */
  processes: readonly ServiceProcess[];
  /** The address of the directly connected node; undefined while it starts. */
  directUrl(): string | undefined;
  /** Starts the directly connected node and worker again, on this member. */
  connectDirectly(member: Member, options: { isUnfenced: boolean }): Promise<void>;
  /** Returns the status of the readiness of the directly connected node and worker; undefined without a response. */
  directReadiness(): Promise<(number | undefined)[]>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  folder: string;
  /** The receiver of webhooks, as host:port. */
  receiver: string;
  /** Further settings of every process. */
  settings: Record<string, string>;
}

/** Returns the status of the response; undefined without one. */
async function readinessOf(monitoringUrl: string): Promise<number | undefined> {
  const answer = await fetch(`${monitoringUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => {});
  return answer?.status;
}

/** Returns the hosts of all members, as a database URL names them. */
export const hostsOf = ({ members }: FailoverCluster): string =>
  members.map(({ port }) => `127.0.0.1:${port}`).join(',');

export function urlOf(hosts: string, name: string, login = name, password = PASSWORD): string {
  return `postgres://${login}:${encodeURIComponent(password)}@${hosts}/${name}`;
}

export async function startService(cluster: FailoverCluster, options: ServiceOptions): Promise<FailoverService> {
  const throughHaproxy = `127.0.0.1:${cluster.port}`;
  const several = hostsOf(cluster);
  const superuserUrlOf = (name: string): string => urlOf(several, name, 'postgres', cluster.superuserPassword);
  await provision(superuserUrlOf('postgres'), [
    { name: 'slipway_sandbox', password: secret(PASSWORD), roles: PLANE_ROLES },
    { name: 'slipway_production', password: secret(PASSWORD), roles: PLANE_ROLES },
    { name: 'slipway_console', password: secret(PASSWORD), roles: [] },
  ]);
  const databaseUrl = urlOf(throughHaproxy, 'slipway_sandbox');
  for (const environment of ['sandbox', 'production'] as const) {
    await migrate(urlOf(several, `slipway_${environment}`), join(root, 'server/migrations/plane'));
    await claimDatabase(urlOf(several, `slipway_${environment}`), environment);
  }
  await migrate(urlOf(several, 'slipway_console'), join(root, 'server/migrations/console'));

  const { peppers, masterKeys, managementKey } = BENCH_SECRETS;
  const shared = {
    SLIPWAY_DATA_DIR: join(options.folder, 'data'),
    SLIPWAY_SANDBOX_PEPPER: peppers.keys[1].reveal(),
    SLIPWAY_SANDBOX_MASTER_KEY: masterKeys.keys.m1.reveal(),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: managementKey.reveal(),
    SLIPWAY_SANDBOX_RATE_PER_SECOND: '100000',
    SLIPWAY_SANDBOX_RATE_BURST: '100000',
    SLIPWAY_CONSOLE_SECRET: CONSOLE_SECRET,
    SLIPWAY_WEBHOOK_ALLOW_HOSTS: options.receiver,
    ...options.settings,
  };

  async function start(
    role: 'api' | 'worker' | 'console',
    name: string,
    hosts: string,
    more: Record<string, string> = {},
  ) {
    const [port, managementPort, monitoringPort] = [await freePort(), await freePort(), await freePort()];
    const own = role === 'console' ? 'slipway_console' : 'slipway_sandbox';
    const env = {
      ...shared,
      [role === 'console' ? 'SLIPWAY_CONSOLE_DATABASE_URL' : 'SLIPWAY_SANDBOX_DATABASE_URL']: urlOf(hosts, own),
      SLIPWAY_SANDBOX_API_PORT: String(port),
      SLIPWAY_SANDBOX_MANAGEMENT_PORT: String(managementPort),
      SLIPWAY_CONSOLE_PORT: String(port),
      SLIPWAY_MONITORING_PORT: String(monitoringPort),
      ...more,
    };
    const args = role === 'console' ? [role] : [role, '--environment', 'sandbox'];
    const urls = { url: `http://127.0.0.1:${port}`, managementUrl: `http://127.0.0.1:${managementPort}` };
    const monitoringUrl = `http://127.0.0.1:${monitoringPort}`;
    const node = await startReadyNode({ name, args, env, folder: options.folder, monitoringUrl });
    return { name, node, ...urls, monitoringUrl };
  }

  const nodes = [await start('api', 'api-haproxy', throughHaproxy), await start('api', 'api-several-hosts', several)];
  const [{ managementUrl = '' } = {}] = nodes;
  const others = [
    await start('worker', 'worker-haproxy', throughHaproxy),
    await start('worker', 'worker-several-hosts', several),
    await start('console', 'console', several, { SLIPWAY_SANDBOX_MANAGEMENT_URL: managementUrl }),
  ];
  let direct: { url: string; monitoringUrls: readonly string[]; stop(): Promise<unknown> } | undefined;

  return {
    databaseUrl,
    superuserUrl: urlOf(throughHaproxy, 'slipway_sandbox', 'postgres', cluster.superuserPassword),
    nodes,
    processes: [...nodes, ...others],
    directUrl: () => direct?.url,
    async connectDirectly({ port }, { isUnfenced }) {
      const before = direct;
      direct = undefined;
      await before?.stop();
      const hosts = `127.0.0.1:${port}`;
      if (isUnfenced) {
        const env = {
          BENCH_DATABASE_URL: urlOf(hosts, 'slipway_sandbox'),
          BENCH_RATE: '1000000',
          PROOF_RECEIVER: options.receiver,
        };
        const { firstLine, stop } = await startScript('prove/failover/unfenced-node.ts', [], env);
        direct = { url: firstLine, monitoringUrls: [], stop };
      } else {
        const [api, worker] = await Promise.all([start('api', DIRECT, hosts), start('worker', 'worker-direct', hosts)]);
        const monitoringUrls = [api.monitoringUrl, worker.monitoringUrl];
        direct = {
          url: api.url,
          monitoringUrls,
          stop: () => Promise.all([api, worker].map(({ node }) => endNode(node))),
        };
      }
    },
    directReadiness: () => Promise.all((direct?.monitoringUrls ?? []).map(readinessOf)),
    async stop() {
      await Promise.all([direct?.stop(), ...[...nodes, ...others].map(({ node }) => endNode(node))]);
    },
  };
}

/** Starts a process that ends with this one. Resolves when it is ready. */
export async function startReadyNode(options: {
  name: string;
  args: readonly string[];
  env: Record<string, string>;
  folder: string;
  monitoringUrl: string;
}): Promise<Node> {
  const { name, args, folder, monitoringUrl } = options;
  const inherited = Object.entries(process.env).filter(([variable]) => !/^(SLIPWAY_|OTEL_)/.test(variable));
  const env = { ...Object.fromEntries(inherited), ...options.env };
  const node = startNode({ name, home: root, args, env, logFile: join(folder, `${name}.log`) });
  atEnd(() => node.kill('SIGKILL'));
  await until(async () => (await readinessOf(monitoringUrl)) === 200, READY_MS).catch(() => {
    throw new Error(`${name} is not ready. Its log is ${node.logFile}.`);
  });
  return node;
}

/** Kills a node: its requests may wait for a server that hangs. */
export function endNode(node: Node): Promise<unknown> {
  node.kill('SIGKILL');
  return node.exited;
}
