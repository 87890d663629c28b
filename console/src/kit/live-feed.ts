// What the parts of an app's pages follow, and the one stream that says which of it is to be read again. It rests while the page is
// hidden, and goes on from there. (A stream for each part would use up the connections that a browser makes to one server.)
import { type AppScope, api } from './api.ts';

export interface Connection {
  /** `idle`: nothing that is shown is followed. */
  state: 'idle' | 'connecting' | 'open' | 'interrupted' | 'ended';
  /** Why it is interrupted or has ended. */
  error: Error | null;
}

export interface Feed {
  /** Until what it returns is called. */
  follow(read: string, onChanged: () => void): () => void;
  show(isShown: boolean): void;
  retry(): void;
  connection(): Connection;
  subscribe(listener: () => void): () => void;
}

interface Followed {
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

/** `onBeat` is called with each sign of life: what could not be read again before may be tried once more. */
export function createFeed(scope: AppScope, onBeat: () => void): Feed {
  const followed = new Set<Followed>();
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
  const tell = (isMeant: (read: string) => boolean): void => {
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
        // What was asked for while the server was away may have failed.
        tell((read) => wasInterrupted || part.reads.includes(read));
        onBeat();
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
  /** Once what is drawn together has said what it follows. */
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
      position = undefined; // it may be what was refused
      settleSoon();
    },
    connection: () => connection,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
