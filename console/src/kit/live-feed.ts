// Follows the reads of an app's page through one stream, which reports the reads to repeat. The stream pauses while the
// page is hidden and resumes from its position. One stream per component would exhaust the browser's connections to a
// server.
import { type AppScope, api } from './api.ts';

export interface Connection {
  /** `idle`: the page follows no read. */
  state: 'idle' | 'connecting' | 'open' | 'interrupted' | 'ended';
  /** Reason of an interruption or end. */
  error: Error | null;
}

export interface Feed {
  /** Follows a read until the returned function is called. */
  follow(read: string, onChanged: () => void): () => void;
  show(isShown: boolean): void;
  retry(): void;
  connection(): Connection;
  subscribe(listener: () => void): () => void;
}

interface FollowedRead {
  read: string;
  onChanged: () => void;
}

const IDLE: Connection = { state: 'idle', error: null };
export const NO_FEED: Feed = {
  follow: () => () => {},
  show: () => {},
  retry: () => {},
  connection: () => IDLE,
  subscribe: () => () => {},
};

/**
 * Creates a feed. `onHeartbeat` is called with each event and keep-alive: a read that failed before can be repeated
 * then.
 */
export function createFeed(scope: AppScope, onHeartbeat: () => void): Feed {
  const followed = new Set<FollowedRead>();
  const listeners = new Set<() => void>();
  let connection = IDLE;
  let isShown = false;
  let open: { reads: string; stop: AbortController } | undefined;
  let position: string | undefined;
  let isDue = false;

  function set(state: Connection['state'], error: Error | null = null): void {
    connection = { state, error };
    for (const listener of listeners) listener();
  }
  const notify = (isMeant: (read: string) => boolean): void => {
    for (const one of followed) if (isMeant(one.read)) one.onChanged();
  };

  async function run(reads: string[], signal: AbortSignal): Promise<void> {
    set('connecting');
    const onInterrupted = (error: Error): void => set('interrupted', error);
    const input = { ...scope, reads, ...(position !== undefined && { after: position }) };
    try {
      for await (const part of api.followChanges(input, { signal, onInterrupted })) {
        const wasInterrupted = connection.state === 'interrupted';
        position = part.position;
        if (connection.state !== 'open') set('open');
        // Reads can have failed while the server was unreachable.
        notify((read) => wasInterrupted || part.reads.includes(read));
        onHeartbeat();
      }
    } catch (error) {
      if (!signal.aborted && error instanceof Error) set('ended', error);
    }
  }

  function settle(): void {
    isDue = false;
    const reads = isShown ? [...new Set([...followed].map(({ read }) => read))].sort() : [];
    if (open?.reads === reads.join(',')) return;
    open?.stop.abort();
    open = undefined;
    if (reads.length === 0) {
      if (followed.size === 0) set('idle');
      return;
    }
    open = { reads: reads.join(','), stop: new AbortController() };
    void run(reads, open.stop.signal);
  }
  /** Waits until all components of this render have registered their reads. */
  function settleSoon(): void {
    if (isDue) return;
    isDue = true;
    setTimeout(settle);
  }

  return {
    follow(read, onChanged) {
      const one = { read, onChanged };
      followed.add(one);
      settleSoon();
      return () => {
        followed.delete(one);
        settleSoon();
      };
    },
    show(next) {
      isShown = next;
      settleSoon();
    },
    retry() {
      open?.stop.abort();
      open = undefined;
      position = undefined; // the server can have refused this position
      settleSoon();
    },
    connection: () => connection,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
