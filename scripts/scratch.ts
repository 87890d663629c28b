// Where the tests put what they throw away: databases, above all. In memory where there is enough of it, for a template's clone
// of 500 files waits for the disk nine tenths of its time: on the disk the suites on Postgres take half as long again.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Measured: at most 1.6 GB at once. */
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

/** The folder for temporary files of this process and of all that it starts, until it exits. */
export function useScratch(): void {
  const folder = mkdtempSync(join(parent, 'slipway-scratch-'));
  chmodSync(folder, 0o711); // passable for the user that runs Postgres when the tests run as root
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

// For a shell.
if (import.meta.filename === process.argv[1]) console.log(parent);
