// The place of webhook benchmarks: a separate database with apps and endpoints.
import { type Ground, openGround } from '../prove/webhooks/ground.ts';
import { temporaryFolder } from './kit.ts';
import { type BenchDatabase, startBenchDatabase } from './world.ts';

export interface Place extends BenchDatabase {
  ground: Ground;
  /** The folder of the database's files. */
  folder: string;
}

/** Runs the measurement on a separate database, and removes the database. */
export async function at<T>(measure: (place: Place) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  const database = await startBenchDatabase(folder.path);
  const ground = await openGround(database.url, database.superuserUrl);
  try {
    return await measure({ ...database, ground, folder: folder.path });
  } finally {
    await ground.close();
    await database.stop();
    await folder.remove();
  }
}
