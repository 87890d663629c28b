// Mistakes in the declaration of a contract, each as a sentence that names the file and the field.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaErrors } from '../../kit/http/schema.ts';
import { type AnyResource, type ContractDeclaration, EVENT_SCOPE } from './declaration.ts';

const SCOPE = /^[a-z][a-z_]{0,29}:[a-z][a-z_]{0,29}$/;
const EVENT_TYPE = /^[a-z][a-z_]{0,29}\.[a-z][a-z_]{0,29}$/;
const SCHEMA = /^[A-Z][A-Za-z0-9]{0,39}$/;
const FIELD = /^[a-z][A-Za-z0-9]{0,39}$/;
const KIND = /^[a-z][a-z_]{0,29}$/;
const PREFIX = /^[a-z]{3}$/;
/** Prefixes of the platform's own identifiers that occur together with those of resources. */
const RESERVED_PREFIXES = ['app', 'evt', 'ins', 'key', 'org', 'req'];
/** Types that begin so belong to the platform. */
const RESERVED_TYPES = 'installation.';

/** Writes an error about a field of a file. */
type Report = (field: string, detail: string) => void;

/** Returns the mistakes of a declaration. */
export function contractErrors(contract: ContractDeclaration): string[] {
  const errors: string[] = [];
  const reportIn =
    ({ file }: { file: string }, at = ''): Report =>
    (field, detail) =>
      void errors.push(`${basename(fileURLToPath(file))}: ${at}${field} ${detail}.`);
  const report = reportIn(contract);
  checkScopes(contract, report);
  checkPresets(contract, report);
  const { resources } = contract;
  if (resources.filter(({ grants }) => grants).length > 1) report('resources', 'must have at most one that grants');
  for (const one of resources) checkResource(contract, one, reportIn(one, `${one.name}.`));
  for (const property of ['name', 'kind', 'plural', 'idPrefix'] as const) {
    for (const one of duplicates(resources, (each) => each[property])) {
      reportIn(one, `${one.name}.`)(property, `must differ from every other resource, which ${one[property]} does not`);
    }
  }
  const events = resources.flatMap((one) => Object.keys(one.events).map((type) => ({ one, type })));
  for (const { one, type } of duplicates(events, (each) => each.type)) {
    reportIn(one, `${one.name}.`)(`events['${type}']`, 'must be an event of one resource only');
  }
  return errors;
}

function duplicates<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const keys = all.map(keyOf);
  return all.filter((one, index) => keys.indexOf(keyOf(one)) !== index);
}

function checkScopes({ scopes, keyPresets }: ContractDeclaration, report: Report): void {
  for (const scope of Object.keys(scopes)) {
    if (!SCOPE.test(scope)) report(`scopes['${scope}']`, 'must be named like `orders:read`');
  }
  if (!Object.hasOwn(scopes, EVENT_SCOPE))
    report('scopes', `must have \`${EVENT_SCOPE}\`, the scope of the feed of events`);
  for (const [preset, names] of Object.entries(keyPresets)) {
    const unknown = names.find((scope) => !Object.hasOwn(scopes, scope));
    if (unknown !== undefined) report(`keyPresets['${preset}']`, `names the scope ${unknown}, which is not declared`);
  }
}

function checkPresets({ presets, resources }: ContractDeclaration, report: Report): void {
  for (const [name, { counts }] of Object.entries(presets)) {
    for (const [plural, count] of Object.entries(counts)) {
      const isKnown = resources.some((one) => one.plural === plural);
      if (!isKnown) report(`presets.${name}.counts`, `names ${plural}, which is the plural of no resource`);
      if (!Number.isInteger(count) || count < 0)
        report(`presets.${name}.counts.${plural}`, 'must be an integer from 0');
    }
  }
}

function checkResource({ scopes, resources }: ContractDeclaration, one: AnyResource, report: Report): void {
  const { name, kind, idPrefix, scope, parent, fields, example, schema } = one;
  if (!SCHEMA.test(name)) report('name', 'must be a word like `Order`, of at most 40 letters and digits');
  if (!KIND.test(kind)) report('kind', 'must be a word like `line_item`, of at most 30 characters');
  if (!PREFIX.test(idPrefix)) report('idPrefix', 'must have three lower-case letters');
  if (RESERVED_PREFIXES.includes(idPrefix)) report('idPrefix', `must not be ${idPrefix}, which the platform uses`);
  if (!Object.hasOwn(scopes, scope)) report('scope', `is ${scope}, which the contract does not declare`);
  if (scope === EVENT_SCOPE) report('scope', `must not be ${EVENT_SCOPE}, which permits every event`);
  if (parent && !resources.includes(parent)) report('parent', `is ${parent.name}, which the contract does not list`);
  for (const field of Object.keys(fields)) {
    const isTaken = field === 'id' || resources.some(({ idName }) => idName === field);
    if (isTaken) report(`fields.${field}`, 'must not be declared, because the identifiers of an object are derived');
    if (!FIELD.test(field) || field in Object.prototype) report(`fields.${field}`, 'must be named like `dueOn`');
  }
  for (const { pointer, detail } of schemaErrors(schema, example)) report(`example${pointer}`, detail);
  checkStates(one, report);
  checkEvents(one, report);
}

function checkStates({ states, fields }: AnyResource, report: Report): void {
  if (!states) return;
  const names = Object.keys(states);
  const values: unknown = fields.status && Reflect.get(fields.status, 'enum');
  if (JSON.stringify(values) !== JSON.stringify(names)) report('fields.status', `must be one of ${names.join(', ')}`);
  for (const [from, following] of Object.entries(states)) {
    const unknown = following.find((state) => !names.includes(state));
    if (unknown !== undefined) report(`states.${from}`, `names ${unknown}, which is no state`);
  }
}

function checkEvents({ events, data, parent }: AnyResource, report: Report): void {
  for (const [type, { creates }] of Object.entries(events)) {
    const at = `events['${type}']`;
    if (!EVENT_TYPE.test(type)) report(at, 'must be named like `order.shipped`');
    if (type.startsWith(RESERVED_TYPES)) report(at, `must not begin with ${RESERVED_TYPES}, which the platform uses`);
    if (creates && !parent) report(`${at}.creates`, 'requires a parent');
    data[type]?.forEach(({ schema, example }, index) => {
      for (const { pointer, detail } of schemaErrors(schema, example, `/versions/${index}/convert`)) {
        report(`${at}${pointer}`, detail);
      }
    });
  }
}
