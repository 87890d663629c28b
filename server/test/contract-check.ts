// Validates every response of a listener in a test against the contract: status, media type, headers and body must be
// documented for the operation. Violations are collected, and `close` of the listener under test throws them.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { consoleDocument } from '../src/listeners/console.ts';
import { consoleOnlyOperations } from '../src/listeners/management.ts';
import { productionApi } from '../src/listeners/production-api.ts';
import { publicDocument } from '../src/listeners/sandbox-api.ts';
import { liveAccessUpdateOperations } from '../src/tenancy/apps/index.ts';
import { closeResponses, inlineShared } from './contract-inline.ts';

export interface CheckedExchange {
  method: string;
  /** Path and query as sent. */
  url: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

/** The parts of an OpenAPI document that this module reads. */
interface ResponseObject {
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, { examples?: Record<string, unknown> }>;
}
interface OperationObject {
  responses: Record<string, ResponseObject>;
}
interface DocumentObject {
  paths: Record<string, Record<string, OperationObject>>;
  components: { headers: Record<string, { required?: boolean }> };
}

const SANDBOX_URL = 'http://sandbox.test';
const PROBLEM = '#/components/schemas/Problem';
const PROBLEM_TYPE = 'application/problem+json';

// Headers of HTTP itself, which no API documents.
const GENERIC_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

const PARAMETER = /\{\w+\}/g;

// Operations between the Console's server and a plane, which no contract contains.
const CONSOLE_ONLY = new RegExp(
  `^(${[...consoleOnlyOperations, ...liveAccessUpdateOperations].map(({ path }) => path.replaceAll(PARAMETER, '[^/]+')).join('|')})$`,
);

/** Matches the paths of a template of the contract. */
interface Route {
  template: string;
  pattern: RegExp;
}

/** Returns the routes of templates. A literal part precedes a parameter (OpenAPI 3.1, "Path Templating Matching"). */
export const routesOf = (templates: readonly string[]): Route[] =>
  templates
    .map((template) => ({
      template,
      // A parameter sorts after each letter.
      order: template.replaceAll(PARAMETER, '\uffff'),
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(PARAMETER, '[^/]+')}$`),
    }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1));

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

export type Listener = 'api' | 'production' | 'management' | 'console';

export class ContractCheck {
  private readonly document: DocumentObject;
  private readonly routes: Route[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  private readonly listener: Listener;
  /** Validators by pointer into the contract, and by the text of their schema. */
  private readonly validators = new Map<string, ValidateFunction>();
  /** The latest text that was valid, by pointer into the contract. */
  private readonly fitting = new Map<string, string>();

  constructor(listener: Listener) {
    this.listener = listener;
    const made =
      listener === 'api'
        ? publicDocument(SANDBOX_URL, `${SANDBOX_URL}/problems`)
        : listener === 'production'
          ? productionApi().document('http://production.test', 'http://production.test/problems')
          : consoleDocument('http://localhost:3000', `${SANDBOX_URL}/problems`);
    this.document = JSON.parse(JSON.stringify(closeResponses(inlineShared(made))));
    this.routes = routesOf(Object.keys(this.document.paths));
    formats.default(this.ajv);
    this.ajv.addSchema(this.document, 'contract');
  }

  /** Returns the parts of a response that the contract does not document; empty if there are none. */
  violations(exchange: CheckedExchange): string[] {
    const path = this.pathOf(exchange.url);
    if (path === undefined) return [];
    const name = `${exchange.method} ${path} -> ${exchange.status}`;
    const isStorable = this.listener === 'console' && exchange.headers['cache-control'] !== 'no-store';
    return [...this.look(exchange, path), ...(isStorable ? ['caching'] : [])].map((what) => `${name}: ${what}`);
  }

  // A plane's management listener serves the Console's contract without the environment's prefix. The Console's pages
  // have no contract.
  private pathOf(url: string): string | undefined {
    const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
    if (this.listener === 'management')
      return CONSOLE_ONLY.test(path) || /^\/(ingest|console)\//.test(path) ? undefined : `/api/sandbox${path}`;
    // Production has the declarations of the sandbox, which the contract describes once.
    const described = path.replace(/^\/api\/production\//, '/api/sandbox/');
    return this.listener === 'console' && !path.startsWith('/api/') ? undefined : (this.own(path) ?? described);
  }

  private own(path: string): string | undefined {
    return this.routes.some(({ pattern }) => pattern.test(path)) ? path : undefined;
  }

  private look(exchange: CheckedExchange, path: string): string[] {
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
    const matching = this.routes.filter(({ pattern }) => pattern.test(path)).map(({ template }) => template);
    // A method that the literal path lacks can belong to the path with a parameter.
    const template = matching.find((one) => this.document.paths[one]?.[method]) ?? matching[0];
    const operation = template === undefined ? undefined : this.document.paths[template]?.[method];
    // Either no operation was called or the response was simulated: then it must be a problem of the table.
    const isSimulated = 'sandbox-simulated' in exchange.headers && exchange.status >= 400;
    // An operation that production does not share with the sandbox does not exist there.
    const isElsewhere = /^\/api\/production\//.test(exchange.url) && this.own(exchange.url) === undefined;
    if (
      template === undefined ||
      !operation ||
      isSimulated ||
      (isElsewhere && !Reflect.get(operation, 'x-environments'))
    ) {
      return this.lookAtProblem(exchange);
    }
    const response = operation.responses[exchange.status];
    if (!response) return [`the status is not documented: ${exchange.body.slice(0, 300)}`];
    const pointer = `#/paths/${escapePointer(template)}/${method}/responses/${exchange.status}`;
    return [...this.lookAtHeaders(exchange, response, pointer), ...this.lookAtBody(exchange, response, pointer)];
  }

  private lookAtProblem(exchange: CheckedExchange): string[] {
    const type = mediaTypeOf(exchange);
    if (type !== PROBLEM_TYPE) return [`a response of no operation must have ${PROBLEM_TYPE}, not ${type}`];
    return exchange.method === 'HEAD' ? [] : this.mismatches(PROBLEM, exchange.body);
  }

  private lookAtHeaders({ headers }: CheckedExchange, response: ResponseObject, pointer: string): string[] {
    const documented = new Map(Object.entries(response.headers ?? {}).map((entry) => [entry[0].toLowerCase(), entry]));
    const unknown = Object.keys(headers).filter((name) => !GENERIC_HEADERS.has(name) && !documented.has(name));
    const found = unknown
      // The listener behind the Console names its environment. The Console, which has this contract, leaves the header
      // out.
      .filter((name) => !(this.listener === 'management' && name === 'slipway-environment'))
      .map((name) => `the header ${name} is not documented`);
    for (const [lower, [name, header]] of documented) {
      const at = header.$ref ?? `${pointer}/headers/${escapePointer(name)}`;
      const isRequired = header.$ref ? this.document.components.headers[name]?.required : header.required;
      const value = firstValue(headers[lower]);
      if (value === undefined) {
        // The listener behind the Console lacks the headers of the Console's listener.
        if (isRequired && this.listener !== 'management') found.push(`the header ${name} is missing`);
      } else found.push(...this.mismatches(`${at}/schema`, JSON.stringify(value), `header ${name}`));
    }
    return found;
  }

  private lookAtBody(exchange: CheckedExchange, response: ResponseObject, pointer: string): string[] {
    const type = mediaTypeOf(exchange);
    const documented = Object.keys(response.content ?? {});
    if (exchange.method === 'HEAD') return [];
    if (documented.length === 0) return exchange.body === '' ? [] : ['it has a body, and none is documented'];
    const key = documented.find((one) => one.split(';')[0] === type);
    if (key === undefined) return [`the media type ${type} is not documented`];
    const at = `${pointer}/content/${escapePointer(key)}/schema`;
    const found = this.mismatches(at, /[/+]json$/.test(type) ? exchange.body : JSON.stringify(exchange.body));
    return type === PROBLEM_TYPE && found.length === 0 ? this.lookAtCode(exchange, response) : found;
  }

  // Problems have one schema. The status and the examples of a response say which of them it can be.
  private lookAtCode({ status, body }: CheckedExchange, { content }: ResponseObject): string[] {
    const problem: { status: number; code: string } = JSON.parse(body); // its schema has been checked
    const codes = Object.keys(content?.[PROBLEM_TYPE]?.examples ?? {});
    return [
      ...(problem.status === status ? [] : [`the body has the status ${problem.status}`]),
      ...(codes.includes(problem.code) ? [] : [`the code ${problem.code} is not documented`]),
    ];
  }

  private mismatches(pointer: string, json: string, what = 'body'): string[] {
    // Load tests get the same response thousands of times in the server's process.
    if (this.fitting.get(pointer) === json) return [];
    const found = this.validate(pointer, json, what);
    if (found.length === 0) this.fitting.set(pointer, json);
    return found;
  }

  private validate(pointer: string, json: string, what: string): string[] {
    const validator = this.validatorOf(pointer);
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      return [`the ${what} is not JSON: ${json.slice(0, 200)}`];
    }
    if (validator(value)) return [];
    const errors = (validator.errors ?? []).map((error) => {
      const params = JSON.stringify(error.params);
      return `${what}${error.instancePath} ${error.message ?? ''} ${params}`;
    });
    return [`${errors.join('; ')} in ${json.slice(0, 500)}`];
  }

  private validatorOf(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer);
    if (known) return known;
    // About 2,000 pointers share 100 schemas, mostly of problems: each schema is compiled once.
    const text = JSON.stringify(this.schemaAt(pointer));
    const id = `contract${pointer}`;
    const validator =
      this.validators.get(text) ?? this.ajv.getSchema(id.replaceAll(/[{}]/g, (brace) => encodeURIComponent(brace)));
    if (!validator) throw new Error(`The contract has nothing at ${pointer}.`);
    this.validators.set(pointer, validator).set(text, validator);
    return validator;
  }

  private schemaAt(pointer: string): unknown {
    const names = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    return names.reduce<unknown>((part, name) => Object(part)[name], this.document);
  }
}

/** Returns the first value of a repeated header. Digits become a number. */
function firstValue(header: unknown): unknown {
  const value: unknown = Array.isArray(header) ? header[0] : header;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

const mediaTypeOf = ({ headers }: CheckedExchange): string =>
  String(headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim() ?? '';

const checks = new Map<Listener, ContractCheck>();

/** Returns the check of a listener's contract, compiled once per file. */
export function contractCheck(listener: Listener): ContractCheck {
  const check = checks.get(listener) ?? new ContractCheck(listener);
  checks.set(listener, check);
  return check;
}

/** Checks all further responses of a listener. Returns a list that grows with each violation. */
export function watchContract(app: FastifyInstance, listener: Listener): string[] {
  const found: string[] = [];
  const check = contractCheck(listener);
  app.addHook('onSend', async (request, reply, payload) => {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.toString() : '';
    const { method, url } = request;
    const status = reply.statusCode;
    found.push(...check.violations({ method, url, status, headers: reply.getHeaders(), body }));
  });
  return found;
}

/** Throws if there are violations. Call it when a listener under test is closed. */
export function assertContract(found: readonly string[]): void {
  if (found.length === 0) return;
  const distinct = [...new Set(found)];
  throw new Error(`Answers that the contract does not document:\n${distinct.slice(0, 20).join('\n')}`);
}
