// The folder for temporary files of tests, mostly databases. It is in memory if there is enough. On disk, cloning a
// template of 500 files waits for the disk nine tenths of its time. The suites with Postgres then take half as long
// again.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Measured: at most 1.6 GB at the same time. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

const parent = process.env.TMPDIR ?? (hasRoom() ? IN_MEMORY : tmpdir());

/** Sets the folder for temporary files of this process and its children. It is removed on exit. */
export function useScratch(): void {
  const folder = mkdtempSync(join(parent, 'slipway-scratch-'));
  chmodSync(folder, 0o711); // lets the user that runs Postgres pass through if the tests run as root
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

// Prints the folder, for use in a shell.
if (import.meta.filename === process.argv[1]) console.log(parent);
