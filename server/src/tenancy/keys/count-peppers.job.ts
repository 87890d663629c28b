// Logs every half hour which earlier peppers are still needed and which keys cannot be verified with any configured
// pepper.

import type { Peppers } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { countByPepper } from './pepper-store.ts';

const COUNT_EVERY_MS = 30 * 60_000;

export function startPepperCount(
  worker: Database,
  peppers: Peppers,
  log: Log,
  onError: (error: unknown) => void,
): Loop {
  return startLoop(() => logPepperUse(worker, peppers, log), COUNT_EVERY_MS, onError);
}

/** Logs the number of keys per earlier pepper. Logs nothing if only one pepper is configured and all keys use it. */
export async function logPepperUse(worker: Database, peppers: Peppers, log: Log): Promise<void> {
  const counts = new Map((await countByPepper(worker)).map(({ version, keys }) => [version, keys]));
  for (const [version, keys] of counts) {
    if (peppers.keys[version]) continue;
    log.error(
      'pepper.missing: Keys require a pepper that no setting names.',
      `Pepper ${version} is missing from the settings.`,
      {
        pepper: version,
        keys,
      },
    );
  }
  for (const version of Object.keys(peppers.keys).map(Number)) {
    if (version === peppers.current) continue;
    const keys = counts.get(version) ?? 0;
    const message =
      keys === 0
        ? 'pepper.unused: No key requires this pepper.'
        : 'pepper.in_use: Keys still require a pepper that is not the current one.';
    log.info(message, { pepper: version, keys });
  }
}
