const BATCH = 50;

/**
 * Works through a list in batches, one item after the other, until a batch is not completely done. Returns whether
 * there was an item. An item whose work resolves with anything but true is not done; it is listed again at the caller's
 * next run.
 *
 *     const hasSent = await processInBatches((limit) => listUnsentReports(db, limit), (id) => send(id));
 */
export async function processInBatches<T>(
  list: (limit: number) => Promise<readonly T[]>,
  work: (item: T) => Promise<unknown>,
): Promise<boolean> {
  let hasItems = false;
  let done: number;
  do {
    done = 0;
    for (const item of await list(BATCH)) {
      hasItems = true;
      if ((await work(item)) === true) done += 1;
    }
  } while (done === BATCH);
  return hasItems;
}
