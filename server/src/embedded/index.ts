// The embedded Postgres: a cluster inside the data folder, listening on 127.0.0.1 only. A regular shutdown of Slipway
// stops it. After a kill -9 the next start recovers it.
import { findBinaries, runnableBinaries, sharedDir, signalPostgres } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { ensurePassword, locateCluster, makeDataDir } from './cluster-location.ts';
import { claimStart, stopEarlierPostgres } from './earlier-instance.ts';
import { keepLock, takeLock } from './lock.ts';
import { type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

export { runningPort } from './running.ts';
export { makeDataDir };

export type EmbeddedPostgres = {
  /**
   * Returns the URL of a database for a user that the caller created, or for `postgres` with the superuser's password.
   */
  connection(user: string, password: string, database: string): string;
  superuserPassword: string;
  port: number;
  /** Resolves when Postgres has ended, whether it was stopped or died. */
  exited: Promise<void>;
  /** Stops Postgres by a fast shutdown: open transactions are rolled back. May be called more than once. */
  stop(): Promise<void>;
};

export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  /** 100 suffice for Slipway in one process; several processes need more. */
  maxConnections?: number;
}): Promise<EmbeddedPostgres> {
  const found = findBinaries();
  const dataDir = makeDataDir(options.dataDir);
  const release = claimStart(dataDir);
  try {
    const password = ensurePassword(dataDir);
    const location = locateCluster(dataDir, password, options.log);
    const binaries = runnableBinaries(found, location.owner, location.owner ? sharedDir : dataDir);
    await ensureCluster(binaries, location, password);
    await stopEarlierPostgres(binaries, location, password, options.log);
    const postmaster = await startPostmaster(binaries, location, password, options.maxConnections ?? 100);
    return running(binaries, postmaster, password);
  } finally {
    release();
  }
}

function running(
  binaries: ReturnType<typeof findBinaries>,
  postmaster: Postmaster,
  superuserPassword: string,
): EmbeddedPostgres {
  const { port, pid } = postmaster;
  let stopping: Promise<void> | undefined;
  const isOver = (): boolean => stopping !== undefined || postmaster.isOver();
  const lock = keepLock(postmaster.lock, () => takeLock(port, superuserPassword), isOver);
  // For an unexpected exit, as after an uncaught exception: it is too late to wait, but not too late to send Postgres a
  // signal.
  const onExit = (): void => signalPostgres(binaries, pid, 'SIGINT');
  process.once('exit', onExit);
  const exited = postmaster.exited.then(() => {
    process.removeListener('exit', onExit);
  });
  const stop = async (): Promise<void> => {
    const client = lock();
    await stopPostmaster(binaries, postmaster);
    await client?.end().catch(() => {});
    await exited;
  };
  return {
    connection: (user, password, database) =>
      `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`,
    superuserPassword,
    port,
    exited,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
