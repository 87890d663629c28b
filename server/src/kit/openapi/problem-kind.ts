// The shape of a problem (RFC 9457): the texts of its page, and what an answer holds beside the five fields.

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
  /** Which APIs answer it, in a sentence; empty for a problem of every API. */
  servedBy: string;
  /** What it means, in a sentence. */
  meaning: string;
  /** Why it happens. */
  cause: string;
  /** What the caller can do about it: of its page, and the `detail` of an answer that has none of its own. */
  mend: string;
  /** The specification fixes its body to exactly the five fields. */
  isFixed?: true;
  /** What an answer holds beside what is the same in each: its page and the contract show it. */
  example?: ProblemExtra;
}
