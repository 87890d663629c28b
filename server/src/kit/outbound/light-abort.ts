// A signal that fires once to stop work. The interface is that of an AbortSignal, but it costs a request less: events
// and their objects took longer than signing a body.

export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export class LightAbortController implements AbortSignalLike {
  #listeners: (() => void)[] = [];
  #isStopped = false;

  get aborted(): boolean {
    return this.#isStopped;
  }

  addEventListener(_type: 'abort', listener: () => void, _options?: { once: true }): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  /** Calls the listeners now. Further calls do nothing. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
