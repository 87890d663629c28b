// The shape of a problem (RFC 9457): the texts of its page, and the content of a response in addition to the five
// fields.

export interface InvalidPart {
  /** JSON Pointer (RFC 6901) into the body, or /query/<name>, /path/<name>, /header/<name>. */
  pointer: string;
  detail: string;
}

export interface ProblemExtra {
  detail?: string;
  errors?: InvalidPart[];
  headers?: Record<string, string>;
  /** A stated condition of the service, which its monitoring reports once. The request is not logged as an internal error. */
  isReported?: true;
}

export interface ProblemKind {
  status: number;
  title: string;
  /** The APIs that respond with it, in a sentence; empty for a problem of every API. */
  servedBy: string;
  /** Its meaning, in a sentence. */
  meaning: string;
  /** Why it happens. */
  cause: string;
  /**
   * The correction by the caller. Shown on its page, and used as the `detail` of a response that has none of its own.
   */
  fix: string;
  /** True if a specification fixes its body to exactly the five fields. */
  isFixed?: true;
  /** The variable content of a response, for the page and the contract. */
  example?: ProblemExtra;
}
