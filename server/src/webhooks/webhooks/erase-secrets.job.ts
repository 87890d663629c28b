// Erases signing secrets whose overlap is over. Such a secret signs nothing any longer, because each claim checks the
// database's clock.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { erasePreviousSecrets } from './secret-store.ts';

const FORGET_EVERY_MS = 60_000;
const AT_ONCE = 1_000;

export function startErasingSecrets(worker: Database, onError: (error: unknown) => void): Loop {
  return startLoop(() => erasePreviousSecrets(worker, AT_ONCE), FORGET_EVERY_MS, onError);
}
