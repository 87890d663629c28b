// A process of the proofs with /v1 and a dispatcher, to which its mutations hand their deliveries: `node.ts JSON` contains
// the point at which it dies after its first hand-off, and its deliberate fault. Prints its address.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openBenchPlane } from '../../bench/plane.ts';
import type { Plane } from '../../server/src/access/authority/index.ts';
import type { Database } from '../../server/src/kit/db/db.ts';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import type { HandOff } from '../../server/src/webhooks/webhooks/index.ts';
import { type CrashTrigger, crashingPlane, createCrashTrigger } from './crash-points.ts';
import { printErrorOnce } from './print-errors.ts';
import type { NodeOptions } from './processes.ts';
import { CLAIM_TAKES_MS, startProofDispatcher } from './proof-dispatcher.ts';

const input: NodeOptions = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(input.log, 'a');
const write = (line: string): void => void writeSync(file, `${line}\n`);

let handOffs = 0;
const trigger = createCrashTrigger(input.diesAt, write);
const death: CrashTrigger = {
  at: (point) => (handOffs > 0 ? trigger.at(point) : undefined),
  after: (point) => (handOffs > 0 ? trigger.after(point) : undefined),
};

const countedHandOff = (handOff: HandOff): HandOff => ({
  open() {
    const reserve = handOff.open();
    return (
      reserve &&
      ((delivery) => {
        const reservation = reserve(delivery);
        return (
          reservation && {
            workerId: reservation.workerId,
            begin(body) {
              handOffs += 1;
              write(`handed ${delivery.app_id}`);
              death.at('hand-off committed, not begun');
              reservation.begin(body);
            },
            release: () => reservation.release(),
          }
        );
      })
    );
  },
});

/** Hands deliveries off without the claim lock of the app, and takes time between the judgement and the commit. */
function withHiddenHandOffs(plane: Plane): Plane {
  const { api } = plane.db;
  const blind: Database = {
    ...api,
    transaction: (run, how) =>
      api.transaction(async (tx) => {
        const result = await run({
          ...tx,
          query: (statement) => {
            const text = statement.text.replace('pg_try_advisory_xact_lock_shared(claims_lock(app_id))', 'true');
            return tx.query(
              text === statement.text ? statement : { ...statement, text, name: `${statement.name}_blind` },
            );
          },
        });
        await pause(CLAIM_TAKES_MS);
        return result;
      }, how),
  };
  return { ...plane, db: { ...plane.db, api: blind } };
}

const open = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', printErrorOnce);
const dispatcher = await startProofDispatcher(open.dispatch, input, death, write);
open.attachDispatcher({ ...dispatcher, handOff: countedHandOff(dispatcher.handOff) });
const plane = crashingPlane(input.hidesHandOffs ? withHiddenHandOffs(open.plane) : open.plane, death);
const options = { recorder: open.recorder, trustedProxies: [], onInternalError: printErrorOnce };
console.log(await createSandboxApi(plane, options).listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => void dispatcher.stop().then(() => process.exit(0)));
