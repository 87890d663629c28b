// Reads a stream of server-sent events as a browser does: an event is complete with its blank line.
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { TestVisitor } from './console-app.ts';
import { until } from './harness.ts';

export interface TailRecord {
  id: string;
  at: string;
  path: string;
  status: number | null;
}
export interface TailEvent {
  data: TailRecord[];
  missed: { count: number | null; since: string; until: string } | null;
}

export interface EventReader<Event> {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body if the response is not a stream. */
  problem: { code?: string; detail?: string; errors?: unknown } | undefined;
  events: Event[];
  /** Returns the Last-Event-ID that a browser would send. */
  lastId(): string;
  hasEnded(): boolean;
  /** Calls the listener for each further event. */
  onEvent(listener: (event: Event) => void): void;
  /** Resolves after the first event, which says that the stream has begun. */
  begun(): Promise<void>;
  close(): void;
}

export interface TailReader extends EventReader<TailEvent> {
  ids(): string[];
  missed(): number;
}

export interface TailOptions {
  headers?: Record<string, string>;
  /** Called before each piece is read, to simulate a slow reader. */
  pace?: () => Promise<unknown>;
}

export async function openTail(url: string, input: TailOptions = {}): Promise<TailReader> {
  const reader = await openEvents<TailEvent>(url, input);
  const ids = (): string[] => reader.events.flatMap(({ data }) => data.map(({ id }) => id));
  return { ...reader, ids, missed: () => reader.events.reduce((sum, { missed }) => sum + (missed?.count ?? 0), 0) };
}

export async function openEvents<Event>(
  url: string,
  { headers = {}, pace }: TailOptions = {},
): Promise<EventReader<Event>> {
  // Uses its own connection, which ends with the reader. The pool of fetch would open another connection in its place.
  const request = get(url, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  const events: Event[] = [];
  let lastId = '';
  let hasEnded = false;
  let isClosed = false;
  let listener = (_event: Event): void => {};
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  const problem: EventReader<Event>['problem'] = isStream ? undefined : JSON.parse(await textOf(response));

  function take(block: string): void {
    const fields = block.split('\n').map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trimStart()];
    });
    const id = fields.find(([name]) => name === 'id')?.[1];
    if (id !== undefined) lastId = id;
    const data = fields.find(([name]) => name === 'data')?.[1];
    if (data === undefined) return;
    const event: Event = JSON.parse(data); // as the contract says
    events.push(event);
    listener(event);
  }

  async function readAll(): Promise<void> {
    let text = '';
    for await (const piece of response) {
      // A reader that was closed has already recorded its position.
      if (isClosed) return;
      text += piece;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(take);
      await pace?.();
    }
  }
  const end = (): void => {
    hasEnded = true;
  };
  if (isStream) readAll().then(end, end);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    problem,
    events,
    lastId: () => lastId,
    hasEnded: () => hasEnded,
    onEvent(newListener) {
      listener = newListener;
    },
    begun: async () => void (await until(() => events.length > 0)),
    close() {
      isClosed = true;
      request.destroy();
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response) text += piece;
  return text;
}

/** Returns the headers of a page of the Console. */
export const headersOf = ({ cookie }: TestVisitor): Record<string, string> => ({ cookie });
