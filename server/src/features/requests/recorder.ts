// Keeps the record of a request before its answer leaves: the record joins a batch, and the answer waits for that
// batch's commit, though never longer than a bounded time. What could not be kept is counted, never hidden.
import { createBatcher } from '../../kit/batcher.ts';
import type { Database } from '../../kit/db.ts';
import type { Answered } from '../../kit/mount.ts';
import type { Caller } from '../authority/index.ts';
import { toRecord } from './new-record.ts';
import { insertRecords, writeRecord } from './record-store.ts';

export interface Recorder {
  /** Resolves once the record is committed, or was given up. Never rejects. */
  record(answered: Answered): Promise<void>;
  /** How many records were given up since the start. */
  lost(): number;
}

const BATCH = { maxInFlight: 1, maxSize: 256, deadlineMs: 500 };

export function createRecorder(
  db: Database,
  onLoss: (error: unknown) => void,
  onUse: (use: { appId: string; keyId: string; atMs: number; clientAddress: string | null }) => void,
): Recorder {
  let lost = 0;
  const batcher = createBatcher<Buffer, undefined>({
    ...BATCH,
    late: () => new Error('the record was not committed in time'),
    async run(records) {
      await insertRecords(db, records);
      return [];
    },
  });

  function giveUp(error: unknown): void {
    lost += 1;
    onLoss(error);
  }

  return {
    record(answered) {
      const caller = answered.exchange.principal as Caller | undefined; // only authority sets it, on this plane's server
      // Without a proved key there is no organisation whose inspector this could belong to.
      if (!caller) return NOTHING_TO_KEEP;
      try {
        const record = toRecord(answered, caller);
        onUse({ appId: caller.appId, keyId: caller.keyId, atMs: record.atMs, clientAddress: record.clientAddress });
        // Written here and not with its batch: one that cannot be is lost alone.
        return batcher.join(writeRecord(record)).catch(giveUp);
      } catch (error) {
        giveUp(error);
        return NOTHING_TO_KEEP;
      }
    },
    lost: () => lost,
  };
}

const NOTHING_TO_KEEP = Promise.resolve();
