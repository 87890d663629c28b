// Input and output of a command. Data goes to `out`, messages go to `err`.

export interface Io {
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  err(text: string): void;
  /** Reads standard input to its end. */
  readAll(): Promise<Buffer>;
  /** Asks on the terminal. The answer is not echoed if `isHidden`. Resolves with undefined after Ctrl-C or Ctrl-D. */
  ask(question: string, options?: { isHidden?: boolean }): Promise<string | undefined>;
  /** True if `out` is a terminal; `columns` is its width. */
  isTerminal: boolean;
  columns: number;
  /** True if a user can answer a question. */
  canAsk: boolean;
  /** Opens a page in a browser. Does nothing if there is none. */
  openBrowser(url: string): void;
  /** Aborted by Ctrl-C and by SIGTERM. */
  interrupted: AbortSignal;
  /** Lets the command run as long as it needs after an interruption, so that it can undo its changes. */
  holdExit(): void;
}
