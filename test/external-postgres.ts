// A Postgres like that of an operator, with its databases and roles, behind one fixed address. It can be frozen, killed
// and restarted.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANE_ROLES, provision } from '../server/src/boot/provision.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import { withConnection } from '../server/src/kit/db/db.ts';

/** The password of the logins. */
export const DATABASE_PASSWORD = 'for tests only';
/** Several nodes may use it. */
const MAX_CONNECTIONS = 300;

export interface ExternalPostgres {
  /** The settings with its URLs. */
  settings: { SLIPWAY_SANDBOX_DATABASE_URL: string; SLIPWAY_CONSOLE_DATABASE_URL: string };
  /** The URL of another plane's database, with its own login. */
  productionUrl: string;
  /** The sandbox's database as a superuser. */
  superuserUrl: string;
  /** Runs a statement as a superuser in the sandbox's database, or in another one. */
  query(text: string, database?: string): Promise<Record<string, unknown>[]>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** Signals Postgres and all of its children, which would otherwise continue alone. */
export function signalFamily(pid: number, signal: NodeJS.Signals): void {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const children = rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
  process.kill(pid, signal);
  for (const child of children) signalUnlessGone(child, signal);
}

/** Signals a process. A backend or an autovacuum may have ended since the list was made. */
function signalUnlessGone(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // process.kill throws nothing else
  }
}

// Postgres restarts on a port of its own choice; this port stays the same.
async function forward(target: () => number): Promise<{ server: Server; port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((inbound) => {
    const outbound = connect(target(), '127.0.0.1');
    for (const [socket, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP address
  return {
    server,
    port,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Starts a new Postgres, on the data that `prepare` copies into its folder. */
export async function startExternalPostgres(prepare?: (dataDir: string) => void): Promise<ExternalPostgres> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-external-')));
  chmodSync(dataDir, 0o711); // lets the user that runs Postgres pass through if the tests run as root
  prepare?.(dataDir);
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, log: () => {}, maxConnections: MAX_CONNECTIONS });
  let postgres = await start();
  const password = secret(DATABASE_PASSWORD);
  await provision(postgres.connection('postgres', postgres.superuserPassword, 'postgres'), [
    { name: 'slipway_sandbox', password, roles: PLANE_ROLES },
    { name: 'slipway_production', password, roles: PLANE_ROLES },
    { name: 'slipway_console', password, roles: [] },
  ]);
  const way = await forward(() => postgres.port);
  const urlFor = (user: string, word: string, name: string): string =>
    `postgres://${user}:${encodeURIComponent(word)}@127.0.0.1:${way.port}/${name}`;
  const urlOf = (name: string): string => urlFor(name, DATABASE_PASSWORD, name);
  const superuserUrlOf = (name: string): string => urlFor('postgres', postgres.superuserPassword, name);
  const superuserUrl = superuserUrlOf('slipway_sandbox');
  const pid = (): number => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    settings: {
      SLIPWAY_SANDBOX_DATABASE_URL: urlOf('slipway_sandbox'),
      SLIPWAY_CONSOLE_DATABASE_URL: urlOf('slipway_console'),
    },
    productionUrl: urlOf('slipway_production'),
    superuserUrl,
    query: (text, database = 'slipway_sandbox') =>
      withConnection({ connectionString: superuserUrlOf(database) }, async (client) => (await client.query(text)).rows),
    freeze: () => signalFamily(pid(), 'SIGSTOP'),
    thaw: () => signalFamily(pid(), 'SIGCONT'),
    async kill() {
      signalFamily(pid(), 'SIGKILL');
      await postgres.exited;
    },
    async restart() {
      postgres = await start();
    },
    async remove() {
      way.cut();
      way.server.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
