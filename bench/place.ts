// Where webhooks are measured: a database of its own, and the ground on which apps and endpoints are made.
import { type Ground, openGround } from '../prove/webhooks/ground.ts';
import { temporaryFolder } from './kit.ts';
import { type BenchDatabase, startBenchDatabase } from './world.ts';

export interface Place extends BenchDatabase {
  ground: Ground;
  /** Holds the files of the database. */
  folder: string;
}

/** Runs the measurement on a database of its own, and removes the database. */
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
