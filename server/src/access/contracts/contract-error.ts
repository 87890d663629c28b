// A contract with mistakes.

/** Lists each mistake as a sentence that names file and field. */
export class ContractError extends Error {
  readonly mistakes: readonly string[];

  constructor(message: string, mistakes: readonly string[]) {
    super([message, ...mistakes].join('\n'));
    this.mistakes = mistakes;
  }
}
