// What a command reads from and writes to. Data goes to `out`, and all else to `err`.

export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  readAll(): Promise<Buffer>;
  /** Asks on the terminal; a hidden answer is not shown while it is typed. Undefined when it was cancelled. */
  ask(question: string, options?: { isHidden?: boolean }): Promise<string | undefined>;
  /** Whether somebody reads `out` on a terminal, and how wide it is. */
  isTerminal: boolean;
  columns: number;
  /** Whether somebody is there to answer. */
  canAsk: boolean;
  /** Shows a page in a browser, where there is one; says nothing when there is none. */
  openBrowser(url: string): void;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}
