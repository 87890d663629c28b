// Judges a request by the contract without the server's own validator: ajv over the published document.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { WireRequest } from './wire.ts';
import { textOf } from './wire.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Record<string, unknown>;
}

interface DescribedOperation {
  parameters: Parameter[];
  requestBody?: unknown;
}

export interface OpenapiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
}

/** `unclear` if both a refusal and a success can be right. */
export type Validity = 'fits' | 'breaks' | 'unclear';

const worst = (verdicts: readonly Validity[]): Validity =>
  verdicts.includes('breaks') ? 'breaks' : verdicts.includes('unclear') ? 'unclear' : 'fits';

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

const BODY_LIMIT_BYTES = 256 * 1024;
const DEPTH_LIMIT = 32;
const VALUES_LIMIT = 10_000;
const JSON_TYPE = /^application\/json(; ?charset="?utf-8"?)?$/i;

export function createOracle(document: OpenapiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false });
  // The packages are CommonJS, so Node imports the default export as a namespace.
  addFormats.default(ajv);
  ajv.addSchema(document, 'contract');
  const validators = new Map<string, (value: unknown) => boolean>();

  function fits(path: string, value: unknown): boolean {
    let validator = validators.get(path);
    if (!validator) {
      validator = ajv.compile({ $ref: `contract#${path}` }) as (value: unknown) => boolean; // not asynchronous
      validators.set(path, validator);
    }
    return validator(value);
  }

  /** Judges the text of a parameter, which stands for a value of the parameter's type. */
  function judgeText(at: string[], parameter: Parameter | undefined, text: string): Validity {
    const type = parameter?.schema.type;
    const isNumeric = type === 'integer' || type === 'number';
    const usual = type === 'integer' ? /^(0|-?[1-9]\d{0,14})$/ : /^(0|-?[1-9]\d{0,14}|-?(0|[1-9]\d{0,14})\.\d{1,15})$/;
    if (isNumeric && /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(text) && !usual.test(text)) return 'unclear';
    const isValue = isNumeric ? usual.test(text) : type === 'boolean' && /^(true|false)$/.test(text);
    return fits(pointer(...at), isValue ? JSON.parse(text) : text) ? 'fits' : 'breaks';
  }

  function judgePath(at: string[], described: DescribedOperation, template: string, path: string): Validity {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]*)')}$`, 's');
    const values = pattern.exec(path)?.slice(1);
    if (!values) return 'unclear';
    return worst(
      names.map((name, index): Validity => {
        const decoded = decode(values[index] ?? '');
        const position = described.parameters.findIndex((one) => one.in === 'path' && one.name === name);
        if (position === -1) return 'unclear';
        if (decoded === undefined) return 'breaks';
        return judgeText([...at, 'parameters', String(position), 'schema'], described.parameters[position], decoded);
      }),
    );
  }

  function judgeQuery(at: string[], { parameters }: DescribedOperation, query: string): Validity {
    const parts = query.split('&').filter((part) => part !== '');
    const pairs = parts.map((part) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))] as const;
    });
    if (pairs.some((pair) => pair.includes(undefined))) return 'unclear';
    const names = pairs.map(([name]) => name);
    if (new Set(names).size < names.length) return 'breaks';
    const isMissing = parameters.some((one) => one.in === 'query' && one.required && !names.includes(one.name));
    if (isMissing) return 'breaks';
    return worst(
      pairs.map(([name, text = '']): Validity => {
        const position = parameters.findIndex((one) => one.in === 'query' && one.name === name);
        const schema = parameters[position]?.schema;
        if (!schema) return name === '' ? 'unclear' : 'breaks';
        if (!isStorable(text)) return 'breaks';
        return judgeText([...at, 'parameters', String(position), 'schema'], parameters[position], text);
      }),
    );
  }

  function judgeBody(at: string[], request: WireRequest): Validity {
    const types = request.headers.filter(([name]) => name.toLowerCase() === 'content-type').map(([, value]) => value);
    const body = request.body ?? '';
    if (body.length > BODY_LIMIT_BYTES || !/^application\/json/i.test(types[0] ?? '')) return 'breaks';
    const typeVerdict: Validity = types.length === 1 && JSON_TYPE.test(types[0] ?? '') ? 'fits' : 'unclear';
    const text = textOf(body);
    if (Buffer.from(text, 'utf8').toString('latin1') !== body) return 'breaks';
    const parsed = parse(text);
    if (!parsed) return 'breaks';
    const inside = checkValue(parsed.value);
    const path = pointer(...at, 'requestBody', 'content', 'application/json', 'schema');
    return worst([
      typeVerdict,
      inside,
      fits(path, parsed.value) ? 'fits' : 'breaks',
      hasTwice(text, parsed.value) ? 'unclear' : 'fits',
    ]);
  }

  return {
    judge(template: string, method: string, request: WireRequest): Validity {
      const described = document.paths[template]?.[method.toLowerCase()];
      if (!described) throw new Error(`The contract does not know ${method} ${template}.`);
      const at = ['paths', template, method.toLowerCase()];
      const [path = '', ...query] = request.target.split('?');
      return worst([
        judgePath(at, described, template, path),
        judgeQuery(at, described, query.join('?')),
        described.requestBody === undefined
          ? request.body === undefined
            ? 'fits'
            : 'unclear'
          : judgeBody(at, request),
      ]);
    },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(textOf(text));
  } catch {
    return undefined;
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** Rules beyond schemas: text must be storable, numbers must be finite, and no name may reach a prototype. */
function checkValue(root: unknown): Validity {
  let values = 0;
  let verdict: Validity = 'fits';
  const see = (value: unknown, depth: number): void => {
    values += 1;
    if (typeof value === 'string' && !isStorable(value)) verdict = 'breaks';
    if (typeof value === 'number' && !Number.isFinite(value)) verdict = 'breaks';
    if (typeof value !== 'object' || value === null) return;
    if (depth > DEPTH_LIMIT && verdict === 'fits') verdict = 'unclear';
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name) || name === '__proto__') verdict = 'breaks';
      if (name === 'constructor' && verdict === 'fits' && typeof inner === 'object') verdict = 'unclear';
      see(inner, depth + 1);
    }
  };
  see(root, 1);
  return values >= VALUES_LIMIT && verdict === 'fits' ? 'unclear' : verdict;
}

/** Returns true if a name was repeated. Parsing drops the first one, so the text is longer than its value. */
function hasTwice(text: string, value: unknown): boolean {
  const colons = (json: string): number => json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length;
  return colons(text) > colons(JSON.stringify(value));
}

export type Oracle = ReturnType<typeof createOracle>;
