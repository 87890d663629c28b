// The data folder that test/global-setup.ts makes: a Postgres whose databases are migrated and empty. A process on a copy
// has its first run, but neither initdb nor a hundred migrations. These take half of the processor time of a first start.
// Tests of these steps start on an empty folder.
import { spawnSync } from 'node:child_process';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if Postgres keeps its files outside of the data folder, where copies would share them. */
    preparedData: string | undefined;
  }
}

/** Copies the prepared data into a folder: `createInstance(copyPreparedData)`. */
export function copyPreparedData(dataDir: string): void {
  const prepared = inject('preparedData');
  if (prepared === undefined) return;
  // Unlike cpSync, it keeps the owner of the cluster.
  const { status, stderr } = spawnSync('cp', ['-Rp', `${prepared}/.`, dataDir], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The prepared data could not be copied: ${stderr}`);
}
