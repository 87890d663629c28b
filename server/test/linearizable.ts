// The checker of linearizable revocation. Readers ask continuously while access changes, and each response is compared
// with the permitted ones. One process makes the change, runs all readers, and records everything by its one monotonic
// clock.

/** A question with its response. */
export interface AccessProbeResult {
  beganMs: number;
  endedMs: number;
  isAllowed: boolean;
}

/** One change of access and the questions around it. */
export interface AccessHistory {
  /** The change took effect not before this time ... */
  askedMs: number;
  /** ... and not after this time. */
  answeredMs: number;
  becomes: 'refused' | 'allowed';
  probes: AccessProbeResult[];
  /** Questions with a 503, which were neither allowed nor refused. They prove nothing. */
  unconfirmed: number;
}

export interface LinearizabilityCounts {
  /** Responses with the old access to questions that began after the change was answered. */
  late: number;
  /** Responses with the new access to questions that ended before the change was requested. */
  early: number;
  /** Responses with the old access to questions that began after another question had ended with the new access. */
  backwards: number;
  /** Questions that began after the change was answered. */
  begunAfter: number;
  /** Correct responses with the old access. Without any, the history proves nothing. */
  before: number;
}

/**
 * Judges a history. The change takes effect at one time between request and response, and so does each question. An
 * order of all of them that explains each response exists exactly if the first three counts are 0.
 */
export function checkHistory({ askedMs, answeredMs, becomes, probes }: AccessHistory): LinearizabilityCounts {
  const isAfter = ({ isAllowed }: AccessProbeResult): boolean => isAllowed === (becomes === 'allowed');
  const firstAfterMs = probes.reduce((first, one) => (isAfter(one) ? Math.min(first, one.endedMs) : first), Infinity);
  const verdict: LinearizabilityCounts = { late: 0, early: 0, backwards: 0, begunAfter: 0, before: 0 };
  for (const one of probes) {
    const isLate = one.beganMs > answeredMs;
    if (isLate) verdict.begunAfter += 1;
    if (isAfter(one)) {
      if (one.endedMs < askedMs) verdict.early += 1;
    } else if (isLate) verdict.late += 1;
    else if (one.beganMs > firstAfterMs) verdict.backwards += 1;
    else verdict.before += 1;
  }
  return verdict;
}

export const violationsOf = ({ late, early, backwards }: LinearizabilityCounts): number => late + early + backwards;

export interface WatchOptions {
  becomes: 'refused' | 'allowed';
  readers: number;
  /** The minimum number of questions. */
  questions: number;
  /** Asks as the reader. Returns true if access was allowed, and undefined if it could not be confirmed. */
  ask(reader: number): Promise<boolean | undefined>;
  /** Makes the change and resolves when it was answered. Returns other bounds if the change was dated in advance. */
  change(): Promise<{ askedMs: number; answeredMs: number } | undefined>;
  /** A dated change does not wait until every reader has been allowed. */
  isDated: boolean;
  /** Inspects the database concurrently with the first questions after the change. */
  onAnswered?(): Promise<void>;
}

export async function watchChange(watched: WatchOptions): Promise<AccessHistory> {
  const { becomes, readers } = watched;
  const history: AccessHistory = { askedMs: Infinity, answeredMs: Infinity, becomes, probes: [], unconfirmed: 0 };
  let isOver = false;
  let wake = (): void => {};

  async function ask(reader: number): Promise<void> {
    const beganMs = performance.now();
    const isAllowed = await watched.ask(reader);
    if (isAllowed === undefined) history.unconfirmed += 1;
    else history.probes.push({ beganMs, endedMs: performance.now(), isAllowed });
    wake();
  }
  const each = (run: (reader: number) => Promise<void>): Promise<unknown> =>
    Promise.all(Array.from({ length: readers }, (_, reader) => run(reader)));
  const reading = each(async (reader) => {
    while (!isOver) await ask(reader);
  });
  reading.catch(() => {}); // the awaiting caller gets the error
  const untilAsked = (count: number): Promise<unknown> => {
    const enough = new Promise<void>((resolve) => {
      wake = () => {
        if (history.probes.length >= count) resolve();
      };
      wake();
    });
    return Promise.race([enough, reading]); // ends first only by failing
  };

  try {
    if (!watched.isDated) await untilAsked(readers);
    const askedMs = performance.now();
    const dated = await watched.change();
    Object.assign(history, dated ?? { askedMs, answeredMs: performance.now() });
    // Waiting readers fall into step, and then none of them begins during a running look-up. These questions begin
    // exactly at the critical time.
    await Promise.all([each(ask), watched.onAnswered?.()]);
    await untilAsked(Math.max(watched.questions, history.probes.length + readers));
  } finally {
    isOver = true;
    await reading;
  }
  return history;
}

export interface Summary extends LinearizabilityCounts {
  changes: number;
  questions: number;
  unconfirmed: number;
}

export function summarise(histories: readonly AccessHistory[]): Summary {
  const sum: Summary = {
    ...{ late: 0, early: 0, backwards: 0, begunAfter: 0, before: 0 },
    ...{ changes: histories.length, questions: 0, unconfirmed: 0 },
  };
  for (const history of histories) {
    const verdict = checkHistory(history);
    for (const name of ['late', 'early', 'backwards', 'begunAfter', 'before'] as const) sum[name] += verdict[name];
    sum.questions += history.probes.length;
    sum.unconfirmed += history.unconfirmed;
  }
  return sum;
}
