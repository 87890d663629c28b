// Mistakes in the declaration of a contract, each as a sentence that names the file and the field.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaErrorsOnce, strictObject, type TSchema } from '../../kit/http/schema.ts';
import { canCreate } from './creating-operation.ts';
import { type AnyResource, type CharacterSet, type ContractDeclaration, EVENT_SCOPE } from './declaration.ts';
import { fieldAt } from './envelope.ts';
import { checkGrantor } from './granting-resource.ts';
import { checkIdentity, checkOperations, isWireName, reportSchema } from './operation-errors.ts';
import { isInherited, isReservedPath, isReservedSchema } from './reserved-names.ts';
import { createSeededRandom } from './seeded-random.ts';

const SCOPE = /^[a-z][a-z_]{0,29}:[a-z][a-z_]{0,29}$/;
/** The most scopes that a key can have, as the database limits them. */
const MAX_SCOPES = 1000;
const EVENT_TYPE = /^[a-z][a-z_]{0,29}\.[a-z][a-z_]{0,29}$/;
const SCHEMA = /^[A-Z][A-Za-z0-9]{0,39}$/;
const FIELD = /^[a-z][A-Za-z0-9]{0,39}$/;
const KIND = /^[a-z][a-z_]{0,29}$/;
const PREFIX = /^[a-z]{3}$/;
/** Prefixes of the platform's own identifiers that occur together with those of resources. */
const RESERVED_PREFIXES = ['app', 'evt', 'ins', 'key', 'org', 'req'];
/** Types that begin so belong to the platform. */
const RESERVED_TYPES = 'installation.';

/** The keywords of rules about several fields. */
const RULES = ['if', 'then', 'else', 'not', 'allOf', 'dependentRequired', 'dependentSchemas'];

/** The presets that the database stores. */
const PRESETS = ['empty', 'small', 'busy', 'unicode', 'large'];

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
      reportIn(one, `${one.name}.`)(
        property,
        `must differ from that of every other resource, and ${one[property]} occurs twice`,
      );
    }
  }
  for (const { one, id } of duplicates(operationsOf(resources), (each) => each.id)) {
    reportIn(one, `${one.name}.`)(`operations.${id}`, 'must differ from the name of every other operation');
  }
  for (const { one, id, route } of duplicates(operationsOf(resources), (each) => each.route)) {
    reportIn(one, `${one.name}.`)(`operations.${id}`, `must be the only operation of ${route}`);
  }
  const names = new Set(resources.map(({ name }) => name));
  for (const { one, id, params } of operationsOf(resources)) {
    const unknown = Object.entries(params).find(([, { of }]) => of !== undefined && !names.has(of));
    if (unknown)
      reportIn(one, `${one.name}.`)(`operations.${id}.params['${unknown[0]}'].of`, 'must be the name of a resource');
  }
  const events = resources.flatMap((one) => Object.keys(one.events).map((type) => ({ one, type })));
  for (const { one, type } of duplicates(events, (each) => each.type)) {
    reportIn(one, `${one.name}.`)(`events['${type}']`, 'must be an event of one resource only');
  }
  return errors;
}

/** Returns all operations. Paths that differ only in the names of their parameters have one route. */
const operationsOf = (resources: readonly AnyResource[]) =>
  resources.flatMap((one) =>
    Object.entries(one.operations ?? {}).map(([id, { method, path, params = {} }]) => ({
      one,
      id,
      params,
      route: `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
    })),
  );

function duplicates<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const known = new Set<string>();
  return all.filter((one) => {
    const key = keyOf(one);
    const isKnown = known.has(key);
    known.add(key);
    return isKnown;
  });
}

function checkScopes({ scopes, keyPresets }: ContractDeclaration, report: Report): void {
  for (const scope of Object.keys(scopes)) {
    if (!SCOPE.test(scope)) report(`scopes['${scope}']`, 'must be named like `orders:read`');
  }
  if (Object.keys(scopes).length > MAX_SCOPES) report('scopes', `must have at most ${MAX_SCOPES} entries`);
  if (!Object.hasOwn(scopes, EVENT_SCOPE))
    report('scopes', `must have \`${EVENT_SCOPE}\`, the scope of the feed of events`);
  for (const [preset, names] of Object.entries(keyPresets)) {
    const unknown = names.find((scope) => !Object.hasOwn(scopes, scope));
    if (unknown !== undefined) report(`keyPresets['${preset}']`, `names the scope ${unknown}, which is not declared`);
  }
}

function checkPresets({ presets, resources }: ContractDeclaration, report: Report): void {
  for (const [name, { counts }] of Object.entries(presets)) {
    if (!PRESETS.includes(name)) report(`presets['${name}']`, `must be named ${PRESETS.join(', ')}`);
    for (const [plural, count] of Object.entries(counts)) {
      const isKnown = resources.some((one) => one.plural === plural);
      if (!isKnown) report(`presets.${name}.counts`, `names ${plural}, which is the plural of no resource`);
      if (!Number.isInteger(count) || count < 0)
        report(`presets.${name}.counts.${plural}`, 'must be an integer from 0');
    }
  }
}

function checkResource({ scopes, resources }: ContractDeclaration, one: AnyResource, report: Report): void {
  const { name, kind, idPrefix, scope, parent, fields, identity, path } = one;
  if (!SCHEMA.test(name)) report('name', 'must be a word like `Order`, of at most 40 letters and digits');
  if (isReservedSchema(name)) report('name', `must not be ${name}, which the platform or a language of a client uses`);
  const [first = ''] = path.split('/');
  if (!parent && isReservedPath(first)) report('path', `must not be ${first}, which the platform uses`);
  if (!KIND.test(kind)) report('kind', 'must be a word like `line_item`, of at most 30 characters');
  if (!PREFIX.test(idPrefix)) report('idPrefix', 'must have three lower-case letters');
  if (RESERVED_PREFIXES.includes(idPrefix)) report('idPrefix', `must not be ${idPrefix}, which the platform uses`);
  if (!Object.hasOwn(scopes, scope)) report('scope', `is ${scope}, which the contract does not declare`);
  if (scope === EVENT_SCOPE) report('scope', `must not be ${EVENT_SCOPE}, which permits every event`);
  if (parent && !resources.includes(parent)) report('parent', `is ${parent.name}, which the contract does not list`);
  for (const field of Object.keys(fields)) {
    const isTaken = !identity && (field === 'id' || resources.some(({ idName }) => idName === field));
    if (isTaken) report(`fields.${field}`, 'must not be declared, because the identifiers of an object are derived');
    const isNamed = identity ? isWireName(field) : FIELD.test(field);
    if (!isNamed || isInherited(field)) report(`fields.${field}`, 'must be named like `dueOn`');
  }
  for (const field of Object.keys(one.hidden ?? {})) {
    const isNamed = FIELD.test(field) && !isInherited(field) && !Object.hasOwn(fields, field);
    if (!isNamed) report(`hidden.${field}`, 'must be named like `dueOn`, and must not be a declared field');
  }
  checkIdentity(one, report);
  checkGrantor(one, report);
  if (checkFields(one, report)) checkSandbox(one, report);
  checkOperations(one, scopes, report);
  checkStates(one, report);
  checkEvents(one, report);
}

const SCRIPTS: readonly CharacterSet[] = ['plain', 'unicode'];

/** Makes the first object of each character set, as a world does. */
function checkSandbox({ fields, hidden, defaults, sandbox }: AnyResource, report: Report): void {
  if (!sandbox) return;
  const { segment, synthesise } = sandbox;
  if (!KIND.test(segment)) report('sandbox.segment', 'must be a word like `line_item`, of at most 30 characters');
  const stored = strictObject({ ...fields, ...hidden });
  const createdMs = Date.UTC(2025, 0, 1);
  for (const script of SCRIPTS) {
    const seed = { draw: createSeededRandom(script), index: 0, createdMs, script };
    const made = { ...defaults, ...synthesise(seed), createdAt: new Date(createdMs).toISOString() };
    for (const { pointer, detail } of schemaErrorsOnce(stored, made)) report(`sandbox.synthesise${pointer}`, detail);
  }
}

/** Returns true if objects can be validated. */
function checkFields({ fields, optional = [], identity, parentField, ...one }: AnyResource, report: Report): boolean {
  const isField = (name: string): boolean => Object.hasOwn(fields, name) || name === identity?.field;
  const unknown = optional.find((name) => !isField(name));
  if (unknown !== undefined) report('optional', `names ${unknown}, which is no field`);
  if (parentField !== undefined && !isField(parentField)) report('parentField', `is ${parentField}, which is no field`);
  const { selfField } = one;
  if (selfField !== undefined && !fieldAt(one.schema, selfField))
    report('selfField', `is ${selfField}, which is no field`);
  let isSafe = true;
  const others = Object.keys(one.rules ?? {}).filter((name) => !RULES.includes(name));
  if (others.length > 0) report('rules', `must have only the keywords ${RULES.join(', ')}`);
  reportSchema(one.rules ?? ({} as TSchema), 'rules', (at, detail) => {
    isSafe = false;
    report(at, detail);
  });
  const alternatives = (one.alternatives ?? []).map(
    (each, index) => [`alternatives[${index}].fields`, each.fields] as const,
  );
  for (const [part, schemas] of [...Object.entries({ fields, hidden: one.hidden ?? {} }), ...alternatives]) {
    for (const [field, schema] of Object.entries(schemas)) {
      if (part.startsWith('alternatives') && !isField(field)) report(`${part}.${field}`, 'is no field of the resource');
      reportSchema(schema, `${part}.${field}`, (at, detail) => {
        isSafe = false;
        report(at, detail);
      });
    }
  }
  const isCompilable = /^[A-Za-z]*[_-]?$/.test(identity?.prefix ?? '');
  if (!isSafe || !isCompilable) return false; // validating objects would compile the schema
  [one.example, ...(one.samples ?? [])].forEach((object, index) => {
    const at = index === 0 ? 'example' : `samples/${index - 1}`;
    for (const { pointer, detail } of schemaErrorsOnce(one.schema, object)) report(`${at}${pointer}`, detail);
  });
  return true;
}

function checkStates({ states, fields, stateField = 'status' }: AnyResource, report: Report): void {
  if (!states) return;
  const names = Object.keys(states);
  const field = Object.hasOwn(fields, stateField) ? fields[stateField] : undefined;
  const values: unknown = field && Reflect.get(field, 'enum');
  if (JSON.stringify(values) !== JSON.stringify(names))
    report(`fields.${stateField}`, `must be one of ${names.join(', ')}`);
  for (const [from, following] of Object.entries(states)) {
    const unknown = following.find((state) => !names.includes(state));
    if (unknown !== undefined) report(`states.${from}`, `names ${unknown}, which is no state`);
  }
}

function checkEvents({ events, data, parent, states = {}, operations = {} }: AnyResource, report: Report): void {
  const isCreated = Object.values(operations).some(canCreate);
  for (const [type, { creates, entering }] of Object.entries(events)) {
    const at = `events['${type}']`;
    if (!EVENT_TYPE.test(type)) report(at, 'must be named like `order.shipped`');
    if (type.startsWith(RESERVED_TYPES)) report(at, `must not begin with ${RESERVED_TYPES}, which the platform uses`);
    if (creates && !parent && !isCreated) report(`${at}.creates`, 'requires a parent or an operation that creates');
    if (entering !== undefined && !Object.hasOwn(states, entering))
      report(`${at}.entering`, `is ${entering}, which is no state`);
    data[type]?.forEach(({ schema, example }, index) => {
      for (const { pointer, detail } of schemaErrorsOnce(schema, example, `/versions/${index}/convert`)) {
        report(`${at}${pointer}`, detail);
      }
    });
  }
}
