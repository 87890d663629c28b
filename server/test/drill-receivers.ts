// Receivers of webhooks over real HTTP: a correct one, and others with one fault each.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

export const FAULTS = [
  'none',
  'holds_back_until_gaps_are_closed',
  'tells_nothing',
  'accepts_everything',
  'ignores_age',
  'takes_unsigned',
  'looks_at_first_signature',
  'parses_before_it_verifies',
  'judges_age_by_event',
  'forgets_duplicates',
  'looks_and_keeps_later',
  'last_written_wins',
  'breaks_on_forgeries',
  'says_gone_to_forgeries',
  'refuses_everything',
] as const;
/** The kinds of receivers. The first two have no fault. */
export type ReceiverFault = (typeof FAULTS)[number];

export const FORGERIES = {
  stale_timestamp: 'failed',
  wrong_signature: 'failed',
  missing_signature: 'failed',
  changed_body: 'failed',
};
/** The steps of the drill that detect each fault, with their outcome. */
export const EXPECTED_OUTCOMES: Record<Exclude<ReceiverFault, 'refuses_everything'>, Record<string, string>> = {
  none: {},
  holds_back_until_gaps_are_closed: {},
  tells_nothing: { duplicates: 'unseen', duplicates_at_once: 'unseen', delayed: 'unseen', shuffled: 'unseen' },
  accepts_everything: FORGERIES,
  ignores_age: { stale_timestamp: 'failed' },
  takes_unsigned: { missing_signature: 'failed' },
  looks_at_first_signature: { rotated_secret: 'failed' },
  parses_before_it_verifies: { raw_bytes: 'failed' },
  judges_age_by_event: { delayed: 'failed' },
  forgets_duplicates: { duplicates: 'failed', duplicates_at_once: 'failed' },
  looks_and_keeps_later: { duplicates_at_once: 'failed' },
  last_written_wins: { delayed: 'failed', shuffled: 'failed' },
  breaks_on_forgeries: FORGERIES,
  says_gone_to_forgeries: FORGERIES,
};

export interface Message {
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  /** The state that the receiver reports about itself. */
  report?: string;
}

interface DrillEvent {
  id: string;
  occurredAt: string;
  subject: { id: string };
  sequence: number;
  data: { step: string };
}

interface SubjectState {
  processed: number;
  sequence: number;
  held: Set<number>;
}

const MINUTES_MS = 60_000;

function isVerified(fault: ReceiverFault, secret: string, { headers, body }: Message): boolean {
  const webhook = new Webhook(secret);
  const signature = String(headers['webhook-signature'] ?? '');
  const given: Record<string, string> = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': fault === 'looks_at_first_signature' ? (signature.split(' ')[0] ?? '') : signature,
  };
  if (fault === 'accepts_everything' || (fault === 'takes_unsigned' && signature === '')) return true;
  if (fault === 'ignores_age') {
    const at = new Date(Number(given['webhook-timestamp']) * 1000);
    return signature.split(' ').includes(webhook.sign(given['webhook-id'] ?? '', at, body));
  }
  try {
    webhook.verify(fault === 'parses_before_it_verifies' ? JSON.stringify(JSON.parse(body)) : body, given);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the state of one endpoint, like a table of identifiers and one of subjects. */
function createSubjectStore(fault: ReceiverFault) {
  const known = new Set<string>();
  const subjects = new Map<string, SubjectState>();
  let looking: (() => void) | undefined;

  /** Resolves when a second request calls it, so that both look up the message before either of them stores it. */
  const bothHaveLooked = (): Promise<void> =>
    new Promise((resolve) => {
      if (looking === undefined) looking = resolve;
      else {
        looking();
        looking = undefined;
        resolve();
      }
    });

  function apply(state: SubjectState, sequence: number): void {
    if (fault === 'holds_back_until_gaps_are_closed') {
      state.held.add(sequence);
      while (state.held.delete(state.sequence + 1)) {
        state.sequence += 1;
        state.processed += 1;
      }
      return;
    }
    if (fault !== 'forgets_duplicates' && fault !== 'last_written_wins' && sequence < state.sequence) return;
    state.processed += 1;
    state.sequence = fault === 'last_written_wins' ? sequence : Math.max(sequence, state.sequence);
  }

  return async (event: DrillEvent): Promise<SubjectState> => {
    const state = subjects.get(event.subject.id) ?? { processed: 0, sequence: 0, held: new Set() };
    subjects.set(event.subject.id, state);
    const isNew = fault === 'forgets_duplicates' || !known.has(event.id);
    if (fault === 'looks_and_keeps_later' && event.data.step === 'duplicates_at_once') await bothHaveLooked();
    known.add(event.id);
    if (isNew) apply(state, event.sequence);
    return state;
  };
}

const REFUSAL: Partial<Record<ReceiverFault, number>> = { breaks_on_forgeries: 500, says_gone_to_forgeries: 410 };

/** Returns a receiver with the fault, which responds with status and header. */
function createReceiver(fault: ReceiverFault, secretOf: () => string) {
  const keep = createSubjectStore(fault);
  return async (message: Message): Promise<Answer> => {
    if (fault === 'refuses_everything') return { status: 403 };
    if (!isVerified(fault, secretOf(), message)) return { status: REFUSAL[fault] ?? 400 };
    const event: DrillEvent = JSON.parse(message.body);
    const isOld = Date.now() - Date.parse(event.occurredAt) > 5 * MINUTES_MS;
    if (fault === 'judges_age_by_event' && isOld) return { status: 400 };
    const { processed, sequence } = await keep(event);
    return {
      status: 204,
      ...(fault !== 'tells_nothing' && { report: `processed=${processed}, sequence=${sequence}` }),
    };
  };
}

/** Starts one server for all receivers. Each endpoint has its own path. */
export async function startReceivers() {
  const handlers = new Map<string, (message: Message) => Promise<Answer>>();
  const received = new Map<string, Message[]>();
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = request.url ?? '';
    const message = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.get(path)?.push(message);
    const answer = await handlers.get(path)?.(message);
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(answer.status, answer.report === undefined ? {} : { 'slipway-drill': answer.report }).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  let count = 0;
  return {
    host,
    /** Returns the number of open connections. */
    connections: () => sockets.size,
    /** Returns a receiver with its own URL; `received` has its messages. */
    open(answer: (message: Message, index: number) => Promise<Answer>) {
      count += 1;
      const path = `/${count}`;
      const messages: Message[] = [];
      received.set(path, messages);
      handlers.set(path, (message) => answer(message, messages.indexOf(message)));
      return { url: `http://${host}${path}`, received: messages };
    },
    /** Returns a receiver with this fault. Its secret is set when it exists. */
    faulty(fault: ReceiverFault) {
      const held = { secret: '' };
      const answer = createReceiver(fault, () => held.secret);
      return { ...this.open(answer), held };
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;
