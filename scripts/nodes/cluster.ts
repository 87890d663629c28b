// Several nodes on one Postgres behind a plain proxy: three of the API, two workers, and the Console. Each node can be
// replaced.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { endOfLog, type Node, startNode } from './node.ts';
import { type PlainProxy, startProxy, type Target } from './proxy.ts';

export type Role = 'api' | 'worker' | 'console';

export const SHAPE: Readonly<Record<Role, number>> = { api: 3, worker: 2, console: 1 };

const ROLES = Object.keys(SHAPE) as readonly Role[]; // the keys of the table above

export interface Member {
  role: Role;
  number: number;
  node: Node;
  target: Target;
  /** The management listener of an API node. */
  management: Target;
}

export interface Cluster {
  members(): readonly Member[];
  /** Starts all missing nodes from this folder's `server/dist`. Resolves when they are ready. */
  fill(home: string): Promise<void>;
  /**
   * Replaces a node by one of this home. The old one is stopped as an operator would: by a signal, with time to finish.
   */
  replace(member: Member, home: string): Promise<number | null>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  host: string;
  ports: { api: number; console: number };
  /** Returns the settings that all nodes of a folder share: databases, secrets, addresses, the shutdown delay. */
  env(home: string): NodeJS.ProcessEnv;
  logDir: string;
  /** Called if a node ends without being stopped. */
  onLoss(sentence: string): void;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { host, ports, logDir } = options;
  const managementPort = await freePort();
  const proxies: Record<Role | 'management', PlainProxy | undefined> = {
    api: await startProxy({ host, port: ports.api }),
    console: await startProxy({ host, port: ports.console }),
    management: await startProxy({ host: '127.0.0.1', port: managementPort }),
    worker: undefined,
  };
  let members: Member[] = [];
  let isStopping = false;
  let started = 0;

  function notifyProxies(): void {
    const of = (role: Role): Member[] => members.filter((member) => member.role === role);
    proxies.api?.setTargets(of('api').map(({ target }) => target));
    proxies.management?.setTargets(of('api').map(({ management }) => management));
    proxies.console?.setTargets(of('console').map(({ target }) => target));
  }

  async function start(role: Role, home: string): Promise<Member> {
    const number = ++started;
    const [port, second, monitoringPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      ...options.env(home),
      SLIPWAY_SANDBOX_API_PORT: String(port),
      SLIPWAY_CONSOLE_PORT: String(port),
      SLIPWAY_SANDBOX_MANAGEMENT_PORT: String(second),
      SLIPWAY_SANDBOX_MANAGEMENT_URL: `http://127.0.0.1:${managementPort}`,
      SLIPWAY_MONITORING_PORT: String(monitoringPort),
      SLIPWAY_TRUSTED_PROXIES: '127.0.0.1,::1',
    };
    const name = `${role}-${number}`;
    const args = role === 'console' ? [role] : [role, '--environment', 'sandbox'];
    const node = startNode({ name, home, args, env, logFile: join(logDir, `${name}.log`) });
    const target = { port, monitoringPort };
    const member = { role, number, node, target, management: { port: second, monitoringPort } };
    members.push(member);
    notifyProxies();
    const loss = node.exited.then(
      (code) => `${name} has ended with ${code}. The end of ${node.logFile}:\n${endOfLog(node)}`,
    );
    if (!(await isReady(monitoringPort, node))) throw new Error(await loss);
    void loss.then((sentence) => {
      if (!isStopping && members.includes(member)) options.onLoss(sentence);
    });
    return member;
  }

  return {
    members: () => members,
    async fill(home) {
      const missing = ROLES.flatMap((role) =>
        Array.from({ length: SHAPE[role] - members.filter((member) => member.role === role).length }, () => role),
      );
      // The Console sends requests to the API from its start.
      await Promise.all(missing.filter((role) => role !== 'console').map((role) => start(role, home)));
      await proxies.management?.ready(SHAPE.api);
      await Promise.all(missing.filter((role) => role === 'console').map((role) => start(role, home)));
      await Promise.all([...ROLES, 'management' as const].map((role) => proxies[role]?.ready(shapeOf(role))));
    },
    async replace(member, home) {
      await start(member.role, home);
      await proxies[member.role]?.ready(SHAPE[member.role] + 1);
      members = members.filter((one) => one !== member);
      // The proxies learn of the shutdown only from /readyz, like a load balancer.
      const code = await member.node.stop();
      notifyProxies();
      return code;
    },
    async stop() {
      isStopping = true;
      await Promise.all(members.map(({ node }) => node.stop()));
      for (const proxy of Object.values(proxies)) proxy?.close();
    },
  };
}

const shapeOf = (proxied: Role | 'management'): number => SHAPE[proxied === 'management' ? 'api' : proxied];

/** Returns false if the node has ended before it was ready. */
async function isReady(monitoringPort: number, node: Node): Promise<boolean> {
  let isOver = false;
  void node.exited.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const answer = await fetch(`http://127.0.0.1:${monitoringPort}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return true;
    await pause(50);
  }
  return false;
}
