// Runs the items of a job one after the other: each item has a trace of its own, and an item that fails delays no
// other item.
//
//   const erase = (appId: string) => eraseApp(worker, appId);
//   await runEach('app erasure', await listDueApps(worker, 20), erase, onError);
import { traceJob } from '../telemetry/trace.ts';

/** Reports an item that fails. `postpone` then ensures that the item is not due again immediately. */
export async function runEach<Item>(
  span: string,
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  onError: (error: unknown) => void,
  postpone?: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    await traceJob(span, () => run(item)).catch(async (error: unknown) => {
      onError(error);
      await postpone?.(item).catch(onError);
    });
  }
}
