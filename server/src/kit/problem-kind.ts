// What the table of problems says of each: the texts of its page, and what a real answer holds beside the five fields.

export interface InvalidPart {
  /** JSON Pointer (RFC 6901) into the body, or /query/<name>, /path/<name>, /header/<name>. */
  pointer: string;
  detail: string;
}

export interface ProblemExtra {
  detail?: string;
  errors?: InvalidPart[];
  headers?: Record<string, string>;
}

export interface ProblemKind {
  status: number;
  title: string;
  /** Who answers it: /v1 in both environments, /v1 in production alone, or the Console and its management API. */
  servedBy: 'api' | 'production' | 'console';
  /** What it means, in a sentence. */
  meaning: string;
  /** Why it happens. */
  cause: string;
  /** What the caller can do about it: of its page, and the `detail` of an answer that has none of its own. */
  mend: string;
  /** The specification fixes its body to exactly the five fields. */
  isFixed?: true;
  /** What an answer holds beside what is the same in each: its page, the contract and the sandbox's simulation show it. */
  example?: ProblemExtra;
}
