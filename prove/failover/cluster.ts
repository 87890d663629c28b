// The database under proof, from the files in deploy/high-availability: three members of etcd, three hosts with Postgres
// and Patroni, and haproxy. All of them listen on loopback only.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { progress } from '../../bench/kit.ts';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { findPostgresUser } from '../../server/src/embedded/postgres-user.ts';
import { until } from '../../test/slipway.ts';
import { type Daemon, startDaemon } from './children.ts';
import { Member } from './member.ts';
import { findPrograms, type Programs } from './programs.ts';

const FILES = resolve('deploy/high-availability');
const START_MS = 120_000;
/** A member that has not rejoined after this time is copied again from the primary, as the runbook says. */
const REJOIN_MS = 60_000;
const HEALTHY_MS = 180_000;
const POLL_MS = 200;

/** Waits for a condition that is expensive to observe. */
export const poll = <T>(look: () => T | Promise<T>, timeoutMs: number): Promise<Exclude<T, undefined | false>> =>
  until(async () => {
    await pause(POLL_MS);
    return look();
  }, timeoutMs);

interface MemberStatus {
  name: string;
  role: string;
  state: string;
}

export interface FailoverCluster {
  members: readonly Member[];
  /** The port of haproxy, which leads to the primary. */
  port: number;
  superuserPassword: string;
  /** The number of times that a member had to be copied again. */
  copiedAgain(): number;
  /** Returns the member that is the primary and holds the lock in etcd; undefined if there is none. */
  findLeader(): Promise<Member | undefined>;
  /** Resolves with the primary when both standbys confirm its commits. */
  untilHealthy(): Promise<Member>;
  /** Runs a statement as the superuser on the primary. */
  query<Row>(text: string, values?: readonly unknown[], database?: string): Promise<Row[]>;
  stopEtcd(): Promise<void>;
  startEtcd(): void;
}

/** Reads a file of environment variables. */
function readEnvironment(file: string): Record<string, string> {
  const pairs = readFileSync(join(FILES, file), 'utf8')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    });
  return Object.fromEntries(pairs);
}

interface Etcd {
  /** host:port of each member for clients. */
  hosts: string[];
  start(): void;
  stop(): Promise<void>;
}

async function makeEtcd(folder: string, { etcd, libraryEnv }: Programs): Promise<Etcd> {
  const shared = readEnvironment('etcd.env');
  const ports = [await freePort(), await freePort(), await freePort()];
  const members = await Promise.all(
    ports.map(async (port, index) => ({
      name: `etcd${index + 1}`,
      client: `127.0.0.1:${port}`,
      peer: `http://127.0.0.1:${await freePort()}`,
    })),
  );
  const all = members.map(({ name, peer }) => `${name}=${peer}`).join(',');
  let running: Daemon[] = [];
  return {
    hosts: members.map(({ client }) => client),
    start() {
      running = members.map(({ name, client, peer }) =>
        startDaemon([etcd], {
          env: {
            ...libraryEnv,
            ...shared,
            ETCD_NAME: name,
            ETCD_DATA_DIR: join(folder, name),
            ETCD_LISTEN_CLIENT_URLS: `http://${client}`,
            ETCD_ADVERTISE_CLIENT_URLS: `http://${client}`,
            ETCD_LISTEN_PEER_URLS: peer,
            ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
            ETCD_INITIAL_CLUSTER: all,
          },
          log: join(folder, `${name}.log`),
        }),
      );
    },
    async stop() {
      for (const one of running) one.kill('SIGKILL');
      await Promise.all(running.map(({ exited }) => exited));
    },
  };
}

function startHaproxy(
  folder: string,
  { haproxy, libraryEnv }: Programs,
  port: number,
  members: readonly Member[],
): void {
  const addresses = members.flatMap(({ name, port: own, patroniPort }) => [
    [name.toUpperCase(), `127.0.0.1:${own}`],
    [`${name.toUpperCase()}_PATRONI`, String(patroniPort)],
  ]);
  startDaemon([haproxy, '-db', '-f', join(FILES, 'haproxy.cfg')], {
    env: { ...libraryEnv, SLIPWAY_DATABASE_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) },
    log: join(folder, 'haproxy.log'),
  });
}

/** Installs and starts everything in the folder. */
export async function startCluster(folder: string): Promise<FailoverCluster> {
  const user = findPostgresUser(undefined);
  const programs = findPrograms(folder, user);
  const etcd = await makeEtcd(folder, programs);
  const passwords = { superuser: randomBytes(18).toString('hex'), replication: randomBytes(18).toString('hex') };
  const members: Member[] = [];
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const ports = { port: await freePort(), patroniPort: await freePort() };
    members.push(new Member({ name, folder, ...ports, programs, user, passwords, etcd: etcd.hosts }));
  }
  const port = await freePort();
  let copiedAgain = 0;

  async function findLeader(): Promise<Member | undefined> {
    const answers = await Promise.all(members.map(async (member) => (await member.ask('/primary'))?.status === 200));
    return members.find((_, index) => answers[index]);
  }

  /** Returns the names of members that are neither the primary nor confirm its commits. */
  async function findAbsent(leader: Member): Promise<string[]> {
    const answer = await leader.ask('/cluster');
    const list = answer ? (JSON.parse(answer.text) as { members: MemberStatus[] }).members : []; // as Patroni documents it
    const isPresent = ({ name, role, state }: MemberStatus): boolean =>
      name === leader.name ? state === 'running' : state === 'streaming' && /^(?:quorum|sync)_standby$/.test(role);
    const present = new Set(list.filter(isPresent).map(({ name }) => name));
    return members.map(({ name }) => name).filter((name) => !present.has(name));
  }

  async function untilHealthy(): Promise<Member> {
    const beganMs = performance.now();
    const copied = new Set<string>();
    return poll(async () => {
      const leader = await findLeader();
      if (!leader) return undefined;
      const absent = await findAbsent(leader);
      if (absent.length === 0) return leader;
      for (const member of performance.now() - beganMs > REJOIN_MS ? members : []) {
        if (member === leader || !absent.includes(member.name) || copied.has(member.name)) continue;
        copied.add(member.name);
        copiedAgain += 1;
        progress(`${member.name} has not rejoined: copies it again`);
        await member.ask('/reinitialize', { force: true });
      }
      return undefined;
    }, HEALTHY_MS);
  }

  progress('starts etcd, Postgres with Patroni, and haproxy');
  etcd.start();
  const [first, ...others] = members;
  first?.start();
  await poll(findLeader, START_MS);
  for (const member of others) member.start();
  startHaproxy(folder, programs, port, members);
  await untilHealthy();
  return {
    members,
    port,
    superuserPassword: passwords.superuser,
    copiedAgain: () => copiedAgain,
    findLeader,
    untilHealthy,
    async query<Row>(text: string, values: readonly unknown[] = [], database = 'slipway_sandbox') {
      const leader = await poll(findLeader, HEALTHY_MS);
      const connectionString = `postgres://postgres:${passwords.superuser}@127.0.0.1:${leader.port}/${database}`;
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
      client.on('error', () => {}); // the query rejects
      await client.connect();
      try {
        return (await client.query(text, [...values])).rows as Row[]; // each caller names the row that it selects
      } finally {
        await client.end();
      }
    },
    stopEtcd: () => etcd.stop(),
    startEtcd: () => etcd.start(),
  };
}
