// The contract of an operator as a script for the pages of the Console, which list its scopes, events and kinds. The pages
// of the default contract contain these lists and load no script.
import { contract, isOwnContract, resources } from '../access/contracts/index.ts';
import { EVENT_KINDS, EVENT_TYPES } from '../resources/events/index.ts';

/** Returns the script; undefined for the default contract. */
export function contractScript(): string | undefined {
  if (!isOwnContract) return undefined;
  const { scopes, keyPresets, presets } = contract;
  const summary = {
    scopes,
    keyPresets,
    events: Object.fromEntries(EVENT_TYPES.map((type) => [type, EVENT_KINDS[type].meaning])),
    presets: Object.fromEntries(Object.entries(presets).map(([name, { meaning }]) => [name, meaning])),
    resources: resources.map(({ kind, plural, noun, idPrefix, events }) => ({
      ...{ kind, plural, noun, idPrefix },
      events: Object.keys(events),
    })),
  };
  return `globalThis.slipwayContract = ${JSON.stringify(summary)};\n`;
}
