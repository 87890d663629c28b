// A primary and a streaming standby, as processes of their own on loopback. Both are clusters of the embedded
// distribution; the standby is a copy of the files of the primary.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
  standby: PostgresServer;
  /** Makes commits of the primary wait for the standby, or stops it. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Resolves when the standby accepts writes. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  fsync: 'off', // no test stops the machine
  jit: 'off',
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

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
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
  const copyDir = `${clusterDir}-standby`;
  cpSync(clusterDir, copyDir, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(copyDir, 'standby.signal'), '');
  if (owner) giveTo(owner, copyDir);

  async function start(folder: string, settings: Record<string, string>): Promise<PostgresServer> {
    const port = await freePort();
    const options = Object.entries({ ...SETTINGS, port, ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
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

  const primary = await start(clusterDir, {});
  const standby = await start(copyDir, {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`,
  });
  await until(
    async () => (await primary.query("select from pg_stat_replication where state = 'streaming'")).length === 1,
  );
  return {
    primary,
    standby,
    async setSynchronous(isSynchronous) {
      await primary.query(`alter system set synchronous_standby_names = '${isSynchronous ? 'standby' : ''}'`);
      await primary.query('select pg_reload_conf()');
      const expected = isSynchronous ? 'sync' : 'async';
      await until(
        async () => (await primary.query('select sync_state from pg_stat_replication'))[0]?.sync_state === expected,
      );
    },
    async promote() {
      await standby.query('select pg_promote()');
    },
    async remove() {
      await Promise.all([primary.kill(), standby.kill()]);
      for (const folder of [copyDir, realpathSync(clusterDir), dataDir])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}
