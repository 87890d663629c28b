// One host of the database: a Postgres with its Patroni, which runs deploy/high-availability/patroni.yaml as it is.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PostgresUser } from '../../server/src/embedded/postgres-user.ts';
import { signalFamily } from '../../test/external-postgres.ts';
import { atEnd, type Daemon, startDaemon } from './children.ts';
import type { Programs } from './programs.ts';
import { makeSmallDisk, type SmallDisk } from './small-disk.ts';

const CONFIGURATION = resolve('deploy/high-availability/patroni.yaml');
/** A Patroni that hangs must not delay the questions to the others. */
const PATRONI_ANSWERS_MS = 1_000;

export interface MemberOptions {
  name: string;
  folder: string;
  port: number;
  patroniPort: number;
  programs: Programs;
  user: PostgresUser | undefined;
  passwords: { superuser: string; replication: string };
  /** host:port of each member of etcd. */
  etcd: readonly string[];
}

export class Member {
  readonly name: string;
  readonly port: number;
  readonly patroniPort: number;
  readonly disk: SmallDisk;
  readonly #options: MemberOptions;
  readonly #dataDir: string;
  #patroni: Daemon | undefined;

  constructor(options: MemberOptions) {
    const { name, folder, port, patroniPort, user } = options;
    this.name = name;
    this.port = port;
    this.patroniPort = patroniPort;
    this.#options = options;
    this.disk = makeSmallDisk(join(folder, name), user);
    this.#dataDir = join(this.disk.path, 'data');
    // Patroni lets its Postgres continue if it ends itself.
    atEnd(() => {
      const pid = this.#postmaster();
      if (pid !== undefined) signalFamily(pid, 'SIGKILL');
    });
  }

  start(): void {
    const { name, folder, port, patroniPort, programs, user, passwords, etcd } = this.#options;
    const address = `127.0.0.1:${port}`;
    const env = {
      PATH: `${programs.postgresBin}:/usr/bin:/bin`,
      LC_ALL: 'C.UTF-8',
      HOME: this.disk.path,
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroniPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${patroniPort}`,
      PATRONI_POSTGRESQL_LISTEN: address,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: address,
      PATRONI_POSTGRESQL_DATA_DIR: this.#dataDir,
      PATRONI_POSTGRESQL_BIN_DIR: programs.postgresBin,
      PATRONI_POSTGRESQL_PGPASS: join(this.disk.path, 'pgpass'),
      PATRONI_ETCD3_HOSTS: etcd.map((host) => `'${host}'`).join(','),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replication,
    };
    const log = join(folder, `${name}.log`);
    this.#patroni = startDaemon([...programs.patroni, CONFIGURATION], { env, log, user });
  }

  signalPatroni(signal: NodeJS.Signals): void {
    this.#patroni?.kill(signal);
  }

  signalPostgres(signal: NodeJS.Signals): void {
    const pid = this.#postmaster();
    if (pid === undefined) throw new Error(`The Postgres of ${this.name} does not run.`);
    signalFamily(pid, signal);
    // The postmaster may have started a backend after the first list was made. Suspended, it starts no further one.
    if (signal === 'SIGSTOP') signalFamily(pid, signal);
  }

  /** Returns the process ids of Postgres. */
  pids(): number[] {
    const pid = this.#postmaster();
    if (pid === undefined) return [];
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return [pid, ...stdout.split('\n').filter(Boolean).map(Number)];
  }

  /** Sends a request to Patroni. Returns undefined if it does not answer in time. */
  async ask(path: string, body?: object): Promise<{ status: number; text: string } | undefined> {
    const answer = await fetch(`http://127.0.0.1:${this.patroniPort}${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(body ? 60_000 : PATRONI_ANSWERS_MS),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    return answer && text !== undefined ? { status: answer.status, text } : undefined;
  }

  /** Returns the id of the running postmaster. The file of one that was killed may name a process of others. */
  #postmaster(): number | undefined {
    try {
      const pid = Number(readFileSync(join(this.#dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#dataDir) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}
