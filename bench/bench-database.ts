// A separate database with apps and endpoints, for webhook benchmarks.
import { openWebhookSetup, type WebhookSetup } from '../prove/webhooks/setup.ts';
import { temporaryFolder } from './kit.ts';
import { type BenchDatabase, startBenchDatabase } from './world.ts';

export interface BenchContext extends BenchDatabase {
  setup: WebhookSetup;
  /** The folder of the database's files. */
  folder: string;
}

/** Runs the measurement on a new database, and removes the database afterwards. Resolves with its result. */
export async function withBenchDatabase<T>(measure: (context: BenchContext) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  const database = await startBenchDatabase(folder.path);
  const setup = await openWebhookSetup(database.url, database.superuserUrl);
  try {
    return await measure({ ...database, setup, folder: folder.path });
  } finally {
    await setup.close();
    await database.stop();
    await folder.remove();
  }
}
