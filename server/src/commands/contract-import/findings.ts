// The parts of a document that a contract cannot express, or expresses in another way.
import type { OpenApiDocument } from './document.ts';

const MAX_FINDINGS = 5_000;

export interface Finding {
  line: number;
  pointer: string;
  reason: string;
}

export class Findings {
  readonly #document: Pick<OpenApiDocument, 'lineOf'>;
  readonly #all = new Map<string, Finding>();

  constructor(document: Pick<OpenApiDocument, 'lineOf'>) {
    this.#document = document;
  }

  add(pointer: string, reason: string): void {
    const key = `${pointer} ${reason}`;
    if (this.#all.has(key) || this.#all.size >= MAX_FINDINGS) return;
    // A reason is printed as one line.
    const line = reason.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
    this.#all.set(key, { line: this.#document.lineOf(pointer), pointer, reason: line });
  }

  /** Returns the findings in the order of the document. */
  list(): Finding[] {
    return [...this.#all.values()].sort((a, b) => a.line - b.line || (a.pointer < b.pointer ? -1 : 1));
  }
}
