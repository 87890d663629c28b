// Finds the option or argument for a field that the API refused. The API names fields and does not know the options.
import { type CommandSpec, flagOf, isOperationCommand, nameOf, namesOf, type OptionSpec } from './command.ts';

/** The option or argument that set a field of the request. */
interface InputSource {
  name: string;
  /** The command that lists the permitted values. */
  listedBy: string | undefined;
}

const LISTS: Readonly<Record<string, string>> = {
  serverId: 'slipway installations list',
  keyId: 'slipway keys list',
  endpointId: 'slipway endpoints list',
};

type FieldLocation = readonly [pointer: string, name: string, field: string];

/** Returns undefined if the command has no option or argument for the field. */
export function findInputSource(spec: CommandSpec | undefined, pointer: string): InputSource | undefined {
  const places = spec ? fieldLocationsOf(spec) : [];
  const fitting = places.filter(([place]) => pointer === place || pointer.startsWith(`${place}/`));
  const [nearest] = fitting.toSorted(([one], [other]) => other.length - one.length);
  if (!nearest) return undefined;
  const [place, name, field] = nearest;
  const inner = pointer.slice(place.length);
  return {
    name: inner === '' ? name : `${name} ${inner}`,
    listedBy: Object.hasOwn(LISTS, field) ? LISTS[field] : undefined,
  };
}

function fieldLocationsOf(spec: CommandSpec): FieldLocation[] {
  const args = namesOf(spec.args).flatMap((name) => fieldLocationsIn([''], name, `<${name}>`));
  // A command with its own function can put an option into the query or the body.
  if (!isOperationCommand(spec)) return [...inOptions(['/query', ''], spec.options), ...args];
  return [...inOptions(['/query'], spec.query), ...inOptions([''], spec.body), ...args];
}

const inOptions = (roots: readonly string[], specs: readonly OptionSpec[] = []): FieldLocation[] =>
  specs
    .filter(({ flags }) => !flags.startsWith('--no-'))
    .flatMap((spec) => fieldLocationsIn(roots, spec.field ?? nameOf(spec), flagOf(spec)));

const fieldLocationsIn = (roots: readonly string[], field: string, name: string): FieldLocation[] =>
  roots.map((root) => [`${root}/${field.replaceAll('.', '/')}`, name, field]);
