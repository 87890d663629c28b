// Compares the receivers' log with the rows of the database: each event was delivered, each duplicate has a reason, and
// each attempt is one row.
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import type { Check } from '../kit.ts';
import type { Arrival, Receiver } from './receiver.ts';
import type { App, WebhookSetup } from './setup.ts';

interface AttemptRow {
  delivery_id: string;
  attempt_no: number;
  outcome: string;
  status: number | null;
}

interface DeliveryRow {
  delivery_id: string;
  event_id: string;
  endpoint_id: string;
  status: string;
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** The violations of a rule, and the number of checked items. */
interface RuleViolations {
  name: string;
  broken: readonly string[];
  of: string;
}

export function toCheck({ name, broken, of }: RuleViolations): Check {
  const examples = broken.length === 0 ? '' : `: ${broken.slice(0, 3).join('; ')}`;
  return { name, ok: broken.length === 0, figure: `${broken.length} of ${of}${examples}` };
}

const keyOf = (deliveryId: string, attempt: number): string => `${deliveryId} attempt ${attempt}`;
const uuidOf = (arrival: Arrival): string => fromId('dlv', arrival.deliveryId) ?? arrival.deliveryId;

/** Returns true if another attempt follows. */
const isFailure = ({ outcome, status }: AttemptRow): boolean =>
  outcome !== 'response' || (status !== null && (status < 200 || status > 299));

/** Judges one app after nothing waits any more. */
export async function checkAgreement(setup: WebhookSetup, app: App, receivers: readonly Receiver[]): Promise<Check[]> {
  const arrivals = receivers.flatMap((receiver) => receiver.arrivals);
  const [attempts, deliveries, mismatched, waiting] = await Promise.all([
    setup.rows<AttemptRow>('select delivery_id, attempt_no, outcome, status from attempts where app_id = $1', [
      app.appId,
    ]),
    setup.rows<DeliveryRow>('select delivery_id, event_id, endpoint_id, status from deliveries where app_id = $1', [
      app.appId,
    ]),
    setup.rows<{ id: string }>(
      `select t.ticket_id || ' at ' || e.endpoint_id as id from tickets t cross join endpoints e
       where t.app_id = $1 and e.app_id = $1 and (select count(*) from events ev join deliveries d using (app_id, event_id)
         where ev.app_id = $1 and ev.subject_id = t.ticket_id and d.endpoint_id = e.endpoint_id) <> 1`,
      [app.appId],
    ),
    setup.rows<{ delivery_id: string }>('select delivery_id from queue where app_id = $1', [app.appId]),
  ]);
  const rowOf = new Map(attempts.map((row) => [keyOf(row.delivery_id, row.attempt_no), row]));
  const arrivalsOf = groupBy(arrivals, (arrival) => keyOf(uuidOf(arrival), arrival.attempt));
  const history = { attempts, deliveries, arrivals, rowOf, arrivalsOf };
  const findings: RuleViolations[] = [
    { name: 'tickets without exactly one event and delivery', broken: mismatched.map(({ id }) => id), of: 'all' },
    {
      name: 'deliveries that have not ended',
      broken: waiting.map((row) => row.delivery_id),
      of: `${deliveries.length}`,
    },
    findMissing(history),
    findUnexplained(history),
    findSeveralBodies(history),
    ...findUnpaired(history),
    {
      name: 'arrivals that the public library does not verify',
      broken: receivers.flatMap((receiver) => receiver.refused),
      of: `${arrivals.length}`,
    },
  ];
  return findings.map(toCheck);
}

interface DeliveryHistory {
  attempts: readonly AttemptRow[];
  deliveries: readonly DeliveryRow[];
  arrivals: readonly Arrival[];
  rowOf: ReadonlyMap<string, AttemptRow>;
  arrivalsOf: ReadonlyMap<string, readonly Arrival[]>;
}

function findMissing({ deliveries, arrivals }: DeliveryHistory): RuleViolations {
  const arrived = new Set(arrivals.filter(({ status }) => status === 200).map(uuidOf));
  const broken = deliveries.filter((row) => row.status !== 'succeeded' || !arrived.has(row.delivery_id));
  return {
    name: 'deliveries that did not arrive',
    broken: broken.map((row) => row.delivery_id),
    of: `${deliveries.length}`,
  };
}

/**
 * Finds unexplained duplicates. A second arrival is correct after an attempt that failed or whose outcome is unknown.
 */
function findUnexplained({ arrivals, rowOf }: DeliveryHistory): RuleViolations {
  const broken: string[] = [];
  let again = 0;
  for (const [deliveryId, ofOne] of groupBy(arrivals, uuidOf)) {
    const numbers = ofOne.map(({ attempt }) => attempt).sort((a, b) => a - b);
    for (const number of numbers.slice(0, -1)) {
      again += 1;
      const row = rowOf.get(keyOf(deliveryId, number));
      if (!row || !isFailure(row)) broken.push(keyOf(deliveryId, number));
    }
  }
  return { name: 'arrivals out of order without a failed or interrupted attempt', broken, of: `${again}` };
}

function findSeveralBodies({ arrivals }: DeliveryHistory): RuleViolations {
  const bodies = groupBy(arrivals, ({ eventId, version }) => `${eventId} in version ${version}`);
  const broken = [...bodies].filter(([, ofOne]) => new Set(ofOne.map(({ bodyHash }) => bodyHash)).size > 1);
  return { name: 'events with several bodies in one version', broken: broken.map(([id]) => id), of: `${bodies.size}` };
}

function findUnpaired({ attempts, arrivals, rowOf, arrivalsOf }: DeliveryHistory): RuleViolations[] {
  const rowless = [...arrivalsOf].filter(([key, ofOne]) => ofOne.length !== 1 || !rowOf.has(key));
  const answered = attempts.filter(({ outcome }) => outcome === 'response');
  const mismatched = answered.filter((row) => {
    const [arrival] = arrivalsOf.get(keyOf(row.delivery_id, row.attempt_no)) ?? [];
    return arrival?.status !== row.status;
  });
  const gaps = [...groupBy(attempts, (row) => row.delivery_id)].filter(([, ofOne]) => {
    const numbers = ofOne.map((row) => row.attempt_no).sort((a, b) => a - b);
    return numbers.some((number, index) => number !== index + 1);
  });
  return [
    { name: 'arrivals without exactly one row', broken: rowless.map(([key]) => key), of: `${arrivals.length}` },
    {
      name: 'rows with a response that no receiver sent',
      broken: mismatched.map((row) => keyOf(row.delivery_id, row.attempt_no)),
      of: `${answered.length}`,
    },
    {
      name: 'deliveries whose attempts are not numbered from 1',
      broken: gaps.map(([id]) => id),
      of: `${attempts.length} rows`,
    },
  ];
}
