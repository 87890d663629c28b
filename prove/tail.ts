// `npm run prove -- tail [--seconds 60] [--rate 2000]`: the records and the missed counts of a live tail's readers must
// add up to all records, each once. The readers are a fast one, a slow one, and one with repeated disconnects. It also
// measures the delay of the fast reader. Slipway runs as one process, as with `npm start`.
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { percentile, progress } from '../bench/kit.ts';
import { type BenchServer, createBenchServer, readNote, signIn, start } from '../bench/server.ts';
import { openTail, type TailReader } from '../server/test/tail-reader.ts';
import { type Check, conclude, numberAfter } from './kit.ts';

const SECONDS = numberAfter('--seconds', 60);
const RATE = numberAfter('--rate', 2_000);
const VISIBLE_MS = 250;
const BREAK_EVERY_MS = 3_000;
const SLOW_PAUSE_MS = 2_000;
const SETTLED_MS = 120_000;

interface Reader {
  name: string;
  /** Consecutive tails: each continues where the previous one broke off. */
  tails: TailReader[];
  stop(): Promise<void>;
}

const idsOf = ({ tails }: Reader): string[] => tails.flatMap((tail) => tail.ids());
const missedBy = ({ tails }: Reader): number => tails.reduce((sum, tail) => sum + tail.missed(), 0);

async function ask<Body>(url: string, cookie: string): Promise<Body> {
  return (await (await fetch(url, { headers: { cookie } })).json()) as Body; // as the contract says
}

/** Returns the path of the first run's app in the Console's API. */
async function appOf({ consoleUrl }: BenchServer, cookie: string): Promise<string> {
  const session = await ask<{ organisations: { id: string }[] }>(`${consoleUrl}/api/session`, cookie);
  const apps = `${consoleUrl}/api/sandbox/organisations/${session.organisations[0]?.id}/apps`;
  const { data } = await ask<{ data: { id: string }[] }>(apps, cookie);
  return `${apps}/${data[0]?.id}`;
}

async function openReader(
  name: string,
  tailUrl: string,
  cookie: string,
  { breakEveryMs, pace }: { breakEveryMs?: number; pace?: () => Promise<unknown> },
): Promise<Reader> {
  const open = async (lastId?: string): Promise<TailReader> => {
    const tail = await openTail(tailUrl, {
      headers: { cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) },
      ...(pace && { pace }),
    });
    if (tail.status !== 200) throw new Error(`The tail was answered ${tail.status}.`);
    await tail.begun();
    return tail;
  };
  const tails = [await open()];
  let isStopped = false;
  async function breakOff(): Promise<void> {
    while (breakEveryMs !== undefined && !isStopped) {
      await pause(breakEveryMs);
      const last = tails.at(-1);
      last?.close();
      tails.push(await open(last?.lastId()));
    }
  }
  const breaking = breakOff();
  return {
    name,
    tails,
    async stop() {
      isStopped = true;
      await breaking;
      tails.at(-1)?.close();
    },
  };
}

/** Records the delay of each record after its response. */
function watchDelays({ tails: [tail] }: Reader): number[] {
  const delays: number[] = [];
  tail?.onEvent(({ data }) => delays.push(...data.map(({ at }) => Date.now() - Date.parse(at))));
  return delays;
}

/** Returns the ids of the records since then. */
async function recorded(app: string, cookie: string, since: string): Promise<Set<string>> {
  const response = await fetch(`${app}/requests.ndjson?since=${since}`, { headers: { cookie } });
  const lines = (await response.text()).trimEnd().split('\n');
  return new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id)); // as the contract says
}

function judge(reader: Reader, all: ReadonlySet<string>): Check[] {
  const ids = idsOf(reader);
  const missed = missedBy(reader);
  const twice = ids.length - new Set(ids).size;
  const unknown = ids.filter((id) => !all.has(id)).length;
  return [
    {
      name: `${reader.name}: received and reported as missed together equal the recorded requests`,
      ok: ids.length + missed === all.size,
      figure: `${ids.length} + ${missed} of ${all.size}`,
    },
    {
      name: `${reader.name}: no request twice, and no unknown request`,
      ok: twice + unknown === 0,
      figure: `${twice}, ${unknown}`,
    },
  ];
}

async function prove(at: BenchServer): Promise<Check[]> {
  const { key, link } = await readNote(at);
  const cookie = await signIn(at, link);
  const app = await appOf(at, cookie);
  const since = new Date().toISOString();
  const tailUrl = `${app}/request-tail`;
  const quick = await openReader('a quick reader', tailUrl, cookie, {});
  let isLoaded = true;
  const pace = async (): Promise<void> => void (isLoaded && (await pause(SLOW_PAUSE_MS)));
  const slow = await openReader('a slow reader', tailUrl, cookie, { pace });
  const broken = await openReader('an interrupted reader', tailUrl, cookie, { breakEveryMs: BREAK_EVERY_MS });
  const delays = watchDelays(quick);
  progress(`${RATE} requests a second for ${SECONDS} s`);
  const load = await autocannon({
    url: `${at.apiUrl}/v1/servers?limit=1`,
    connections: 32,
    duration: SECONDS,
    overallRate: RATE,
    headers: { authorization: `Bearer ${key}` },
  });
  isLoaded = false;
  const all = await recorded(app, cookie, since);
  const readers = [quick, slow, broken];
  const isDone = (): boolean => readers.every((reader) => idsOf(reader).length + missedBy(reader) >= all.size);
  for (let waitedMs = 0; waitedMs < SETTLED_MS && !isDone(); waitedMs += 200) await pause(200);
  await Promise.all(readers.map((reader) => reader.stop()));
  const p95 = percentile(delays, 95);
  return [
    {
      name: 'the load was reached',
      ok: all.size >= RATE * SECONDS * 0.9,
      figure: `${all.size} records, ${load.requests.total} responses counted by the client`,
    },
    ...readers.flatMap((reader) => judge(reader, all)),
    { name: 'the slow reader missed requests', ok: missedBy(slow) > 0, figure: `${missedBy(slow)}` },
    {
      name: 'delay from response to tail, p95',
      ok: p95 <= VISIBLE_MS,
      figure: `${p95} ms (at most ${VISIBLE_MS}) of ${delays.length}`,
    },
  ];
}

const at = await createBenchServer();
const env = { ...at.env, SLIPWAY_SANDBOX_RATE_PER_SECOND: '1000000', SLIPWAY_SANDBOX_RATE_BURST: '1000000' };
const server = await start({ ...at, env }, [process.execPath, 'scripts/start.mjs']);
let checks: Check[] = [];
try {
  checks = await prove(at);
} finally {
  await server.stop();
  at.remove();
}
conclude('tail', checks);
