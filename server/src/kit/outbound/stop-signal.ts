// Tells once that something is to stop. It says what an AbortSignal says, which is one too, and costs a delivery less: the
// machinery of events and its objects took longer than to sign.

export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export class Stopper implements StopSignal {
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

  /** Tells whoever listens, now; a second time it does nothing. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
