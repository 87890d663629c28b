// A primary and its streaming standbys, as processes of their own on loopback. All are clusters of the embedded
// distribution; a standby is a copy of the files of the primary.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../scripts/nodes/free-port.ts';
import {
  findBinaries,
  program,
  programEnvironment,
  runnableBinaries,
  sharedDir,
} from '../server/src/embedded/binaries.ts';
import { ensureCluster } from '../server/src/embedded/cluster.ts';
import { ensurePassword, locateCluster, makeDataDir } from '../server/src/embedded/cluster-location.ts';
import { signalFamily } from './external-postgres.ts';
import { until } from './slipway.ts';

export interface PostgresServer {
  port: number;
  /** The URL of a database. Every login is trusted. */
  url(database?: string, login?: string): string;
  /** Runs a statement as the superuser. */
  query(text: string, database?: string): Promise<Record<string, unknown>[]>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
}

export interface ReplicatedPostgres {
  primary: PostgresServer;
  /** The first standby. */
  standby: PostgresServer;
  standbys: readonly PostgresServer[];
  /** Makes commits of the primary wait for one of the standbys, or stops it. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Resolves when the first standby accepts writes. */
  promote(): Promise<void>;
  /** Makes a standby follow another primary. Resolves when it receives the WAL. */
  follow(standby: PostgresServer, primary: PostgresServer): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  fsync: 'off', // no test stops the machine
  jit: 'off',
  autovacuum: 'off', // takes no transaction ids between those of a test
};

function postgresServer(port: number, child: ChildProcess): PostgresServer {
  const { pid = 0 } = child;
  const exited = once(child, 'exit');
  const url = (database = 'postgres', login = 'postgres'): string =>
    `postgres://${login}@127.0.0.1:${port}/${database}`;
  return {
    port,
    url,
    // Not through the code under test, which refuses a standby.
    async query(text, database) {
      const client = new pg.Client({ connectionString: url(database), connectionTimeoutMillis: 5_000 });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    },
    freeze: () => signalFamily(pid, 'SIGSTOP'),
    thaw: () => signalFamily(pid, 'SIGCONT'),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalFamily(pid, 'SIGKILL');
      await exited;
    },
  };
}

function giveTo({ uid, gid }: { uid: number; gid: number }, folder: string): void {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, name), uid, gid);
}

const follows = (primary: PostgresServer, name: string): string =>
  `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;

async function untilFollowed(primary: PostgresServer, standbys: number): Promise<void> {
  await until(
    async () => (await primary.query("select from pg_stat_replication where state = 'streaming'")).length === standbys,
  );
}

export async function startReplicatedPostgres({ standbys: count = 1 } = {}): Promise<ReplicatedPostgres> {
  const dataDir = makeDataDir(realpathSync(mkdtempSync(join(tmpdir(), 'slipway-replicated-'))));
  chmodSync(dataDir, 0o711); // lets the user that runs Postgres pass through if the tests run as root
  const password = ensurePassword(dataDir);
  const location = locateCluster(dataDir, password, () => {});
  const { clusterDir, owner } = location;
  const binaries = runnableBinaries(findBinaries(), owner, owner ? sharedDir : dataDir);
  await ensureCluster(binaries, location, password);
  writeFileSync(
    join(clusterDir, 'pg_hba.conf'),
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  );
  const names = Array.from({ length: count }, (_, index) => `standby${index + 1}`);
  const folderOf = (name: string): string => `${clusterDir}-${name}`;
  for (const name of names) {
    cpSync(clusterDir, folderOf(name), { recursive: true, preserveTimestamps: true });
    writeFileSync(join(folderOf(name), 'standby.signal'), '');
    if (owner) giveTo(owner, folderOf(name));
  }

  async function start(folder: string): Promise<PostgresServer> {
    const port = await freePort();
    const options = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(program(binaries, 'postgres'), ['-D', folder, ...options], {
      stdio: 'ignore',
      cwd: '/',
      ...owner,
      env: programEnvironment(),
    });
    const server = postgresServer(port, child);
    await until(() =>
      server.query('select').then(
        () => true,
        () => false,
      ),
    );
    return server;
  }

  const primary = await start(clusterDir);
  // In its file, so that ALTER SYSTEM can change it.
  for (const name of names)
    appendFileSync(join(folderOf(name), 'postgresql.auto.conf'), `primary_conninfo = '${follows(primary, name)}'\n`);
  const standbys = await Promise.all(names.map((name) => start(folderOf(name))));
  const [standby] = standbys;
  if (!standby) throw new Error('There must be a standby.');
  await untilFollowed(primary, count);
  return {
    primary,
    standby,
    standbys,
    async setSynchronous(isSynchronous) {
      const wanted = isSynchronous ? `ANY 1 (${names.join(', ')})` : '';
      await primary.query(`alter system set synchronous_standby_names = '${wanted}'`);
      await primary.query('select pg_reload_conf()');
      const expected = isSynchronous ? 'quorum' : 'async';
      await until(async () =>
        (await primary.query('select sync_state from pg_stat_replication')).every(
          ({ sync_state }) => sync_state === expected,
        ),
      );
    },
    async promote() {
      await standby.query('select pg_promote()');
    },
    async follow(follower, leader) {
      const name = names[standbys.indexOf(follower)] ?? '';
      await follower.query(`alter system set primary_conninfo = '${follows(leader, name)}'`);
      await follower.query('select pg_reload_conf()');
      await untilFollowed(leader, 1);
    },
    async remove() {
      await Promise.all([primary, ...standbys].map((server) => server.kill()));
      for (const folder of [...names.map(folderOf), realpathSync(clusterDir), dataDir])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}
