// The checker of revocation: readers ask without a pause while access changes, and what each was told is held against what
// it may have been told. One process asks for the change, asks as every reader, and writes down all of it by its one
// monotonic clock.

/** A question that was answered. */
export interface Asked {
  beganMs: number;
  endedMs: number;
  isAllowed: boolean;
}

/** One change of access and what was asked around it. */
export interface History {
  /** The change was made not before this ... */
  askedMs: number;
  /** ... and not after this. */
  answeredMs: number;
  becomes: 'refused' | 'allowed';
  asked: Asked[];
  /** Questions that were neither allowed nor refused: 503. They prove nothing, either way. */
  unconfirmed: number;
}

export interface Verdict {
  /** Answered as before the change, though it began when the change had been answered. */
  late: number;
  /** Answered as after the change, though it had ended when the change was asked for. */
  early: number;
  /** Answered as before the change, though it began when another had ended that was answered as after it. */
  backwards: number;
  /** Began when the change had been answered. */
  begunAfter: number;
  /** Rightly answered as before the change: without these the rest would prove nothing. */
  before: number;
}

/**
 * A change happens at one moment between asking and answer, and so does a question. There is an order of them all that
 * explains each answer exactly where none of the first three is counted.
 */
export function judge({ askedMs, answeredMs, becomes, asked }: History): Verdict {
  const isAfter = ({ isAllowed }: Asked): boolean => isAllowed === (becomes === 'allowed');
  const firstAfterMs = asked.reduce((first, one) => (isAfter(one) ? Math.min(first, one.endedMs) : first), Infinity);
  const verdict: Verdict = { late: 0, early: 0, backwards: 0, begunAfter: 0, before: 0 };
  for (const one of asked) {
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

export const violationsOf = ({ late, early, backwards }: Verdict): number => late + early + backwards;

export interface Watched {
  becomes: 'refused' | 'allowed';
  readers: number;
  /** How many questions there are at least. */
  questions: number;
  /** Asks as the reader: whether access was given, undefined when it could not be confirmed. */
  ask(reader: number): Promise<boolean | undefined>;
  /** Resolves when the change has been answered; with other bounds where the change was dated before. */
  change(): Promise<{ askedMs: number; answeredMs: number } | undefined>;
  /** A dated change does not wait until every reader has been allowed. */
  isDated: boolean;
  /** Looks behind the scenes, beside the first questions after the change. */
  onAnswered?(): Promise<void>;
}

export async function watchChange(watched: Watched): Promise<History> {
  const { becomes, readers } = watched;
  const history: History = { askedMs: Infinity, answeredMs: Infinity, becomes, asked: [], unconfirmed: 0 };
  let isOver = false;
  let wake = (): void => {};

  async function ask(reader: number): Promise<void> {
    const beganMs = performance.now();
    const isAllowed = await watched.ask(reader);
    if (isAllowed === undefined) history.unconfirmed += 1;
    else history.asked.push({ beganMs, endedMs: performance.now(), isAllowed });
    wake();
  }
  const each = (run: (reader: number) => Promise<void>): Promise<unknown> =>
    Promise.all(Array.from({ length: readers }, (_, reader) => run(reader)));
  const reading = each(async (reader) => {
    while (!isOver) await ask(reader);
  });
  reading.catch(() => {}); // whoever waits is told of it
  const untilAsked = (count: number): Promise<unknown> => {
    const enough = new Promise<void>((resolve) => {
      wake = () => {
        if (history.asked.length >= count) resolve();
      };
      wake();
    });
    return Promise.race([enough, reading]); // which ends first only by failing
  };

  try {
    if (!watched.isDated) await untilAsked(readers);
    const askedMs = performance.now();
    const dated = await watched.change();
    Object.assign(history, dated ?? { askedMs, answeredMs: performance.now() });
    // Readers that wait for their answers fall into step, and then none of them begins while a look-up is running: these
    // do, at the very moment that matters.
    await Promise.all([each(ask), watched.onAnswered?.()]);
    await untilAsked(Math.max(watched.questions, history.asked.length + readers));
  } finally {
    isOver = true;
    await reading;
  }
  return history;
}

export interface Summary extends Verdict {
  changes: number;
  questions: number;
  unconfirmed: number;
}

export function summarise(histories: readonly History[]): Summary {
  const sum: Summary = {
    ...{ late: 0, early: 0, backwards: 0, begunAfter: 0, before: 0 },
    ...{ changes: histories.length, questions: 0, unconfirmed: 0 },
  };
  for (const history of histories) {
    const verdict = judge(history);
    for (const name of ['late', 'early', 'backwards', 'begunAfter', 'before'] as const) sum[name] += verdict[name];
    sum.questions += history.asked.length;
    sum.unconfirmed += history.unconfirmed;
  }
  return sum;
}
