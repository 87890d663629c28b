// A contract with mistakes.
import { ForeseenError } from '../../kit/text/foreseen-error.ts';

/** Lists each mistake as a sentence that names file and field. */
export class ContractError extends ForeseenError {
  override name = 'ContractError';
  readonly mistakes: readonly string[];

  constructor(message: string, mistakes: readonly string[]) {
    super([message, ...mistakes].join('\n'));
    this.mistakes = mistakes;
  }
}
