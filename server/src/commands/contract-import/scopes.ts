// The scopes of operations: those of the security schemes, or a scope for reads and one for changes of each resource.
import { EVENT_SCOPE } from '../../access/contracts/index.ts';
import type { Method } from '../../kit/http/operation.ts';
import type { Part } from './part.ts';
import { snake, truncateText, wordsOf } from './words.ts';

const SCOPE = /^[a-z][a-z_]{0,29}:[a-z][a-z_]{0,29}$/;

/** Returns the credentials of a scheme that are no Bearer token; a key of the platform is one. */
function replacedCredentials(scheme: Part): string | undefined {
  const type = scheme.text('type');
  if (type === 'mutualTLS') return 'client certificates';
  if (type === 'apiKey')
    return `the ${scheme.text('in') ?? 'header'} ${scheme.text('name')?.slice(0, 60) ?? ''}, as Bearer tokens`;
  const http = type === 'http' ? (scheme.text('scheme') ?? 'bearer').toLowerCase() : 'bearer';
  if (http === 'bearer') return undefined;
  return `${http === 'basic' ? 'HTTP Basic authentication' : `the HTTP scheme ${http.slice(0, 60)}`}, as Bearer tokens`;
}

export class Scopes {
  /** The meaning of each scope of the contract. */
  readonly meanings = new Map<string, string>();
  readonly #root: Part;
  readonly #names = new Map<string, string>();

  constructor(root: Part) {
    this.#root = root;
    for (const [name, scheme] of root.at('components', 'securitySchemes')?.entries() ?? []) {
      const target = scheme.target();
      const replaced = target && replacedCredentials(target);
      if (replaced !== undefined)
        scheme.report(`is the security scheme ${name.slice(0, 60)}. Keys of the platform replace ${replaced}`);
    }
  }

  /**
   * Returns the scopes that an operation needs, all of them. All scopes of one requirement are needed. The first of
   * several requirements is used, because a key has one set of scopes.
   */
  of(operation: Part, method: Method, words: readonly string[]): string[] {
    const requirements = (operation.own('security') ?? this.#root.own('security'))?.items() ?? [];
    const declared = requirements.map((one) => one.entries().flatMap(([name, scopes]) => this.#scopesOf(name, scopes)));
    const named = declared.filter((scopes) => scopes.length > 0);
    const [first] = named;
    if (new Set(named.map((scopes) => scopes.toSorted().join(' '))).size > 1)
      operation.report(
        `accepts one of several sets of scopes. The contract requires the first: ${first?.join(' and ')}`,
      );
    if (requirements.some((one) => one.entries().length === 0) || operation.own('security')?.items().length === 0)
      operation.report('is also answered without credentials. The contract requires a key');
    return first ?? [this.#derived(words, method)];
  }

  /** Returns the names of the scopes of one scheme in the contract. */
  #scopesOf(scheme: string, given: Part): string[] {
    const flows = this.#root.at('components', 'securitySchemes', scheme, 'flows')?.entries() ?? [];
    return given.items().flatMap((item) => {
      if (typeof item.value !== 'string' || item.value === '') return [];
      const meanings = flows.map(([, flow]) => flow.at('scopes')?.shortText(item.value as string, 200)); // checked above
      return [
        this.#nameOf(
          item,
          item.value,
          meanings.find((meaning) => meaning !== undefined),
        ),
      ];
    });
  }

  #nameOf(item: Part, scope: string, meaning: string | undefined): string {
    const known = this.#names.get(scope);
    if (known !== undefined) return known;
    const isUsable = SCOPE.test(scope) && scope !== EVENT_SCOPE;
    const name = isUsable && !this.meanings.has(scope) ? scope : this.#rename(scope);
    if (name !== scope) item.report(`is the scope ${scope.slice(0, 100)}, which is called ${name} in the contract`);
    this.#names.set(scope, name);
    this.meanings.set(name, meaning ?? `The scope ${truncateText(scope, 100)} of the API`);
    return name;
  }

  /** Returns `calendar:read_only` for `https://example.com/auth/calendar.readOnly`. */
  #rename(scope: string): string {
    const words = wordsOf(scope.split('/').filter(Boolean).at(-1) ?? scope).map((word) => snake([word]));
    const [first = 'api', ...rest] = words;
    const base = `${/^[a-z]/.test(first) ? first : 'api'}:${snake(rest) || 'access'}`;
    const [noun = 'api', action = 'access'] = (base === EVENT_SCOPE ? 'event:read' : base).split(':');
    let name = `${noun}:${action}`;
    for (let number = 0; this.meanings.has(name); number++)
      name = `${noun}:${action.slice(0, 24)}_${snake([`v${number}`])}`;
    return name;
  }

  #derived(words: readonly string[], method: Method): string {
    const action = method === 'GET' ? 'read' : 'write';
    const noun = snake(words, 26);
    const name = `${noun === 'events' ? 'event_objects' : noun}:${action}`;
    const schemes = this.#root.at('components', 'securitySchemes') ?? this.#root;
    schemes.report(
      'name no scopes for some operations. The contract has a scope for reads and one for changes of each resource',
    );
    const verb = action === 'read' ? 'Read' : 'Create and change';
    if (!this.meanings.has(name)) this.meanings.set(name, `${verb} ${words.join(' ')}`);
    return name;
  }
}
