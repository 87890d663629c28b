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

/** Who answers it: /v1 in both environments, /v1 in production alone, or the Console and its management API. In a sentence. */
export const SERVED_BY = {
  api: '',
  production: 'Production alone answers it: the sandbox never does.',
  console: 'The Console and its management API answer it; /v1 never does.',
} as const;

export interface ProblemKind {
  status: number;
  title: string;
  servedBy: keyof typeof SERVED_BY;
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
