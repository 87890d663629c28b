// The contract of an operator. If the server serves one, its pages load `/contract.js` before the code of the Console, and
// the lists of the Console come from that script. The types have the names of the default contract.
import type { EventType, Scope, World } from './api.ts';

interface OwnContract {
  /** The meaning of each scope. */
  scopes: Record<Scope, string>;
  /** The scopes of each preset of keys. */
  keyPresets: Record<string, Scope[]>;
  /** The meaning of each event type. */
  events: Record<EventType, string>;
  /** The fields of each event type that a form can set. */
  eventFields: Record<EventType, OwnField[]>;
  /** The meaning of each preset of sandbox data. */
  presets: Record<World['preset'], string>;
  /** The kinds of objects, each with the events about it. */
  resources: OwnResource[];
  operationIds: string[];
  /** A call that lists objects without a value of the app. */
  firstRead?: { path: string; scopes: Scope[] };
  /** A call without a value of the app whose event is delivered. */
  firstCreation?: OwnCreation;
}

export interface OwnResource {
  kind: string;
  plural: string;
  noun: string;
  idPrefix: string;
  events: EventType[];
  /** The events that the creation of an object emits. */
  creations: EventType[];
  /** The kind of the parent. */
  parent?: string;
}

export interface OwnField {
  name: string;
  /** The maximum length of a text. */
  most?: number;
  choices?: string[];
}

export interface OwnCreation {
  method: string;
  path: string;
  scopes: Scope[];
  summary: string;
  body?: string;
  event: EventType;
}

declare global {
  var slipwayContract: OwnContract | undefined;
}

/** Undefined for the default contract. */
export const OWN_CONTRACT: OwnContract | undefined = globalThis.slipwayContract;

/** Returns a text that begins with a capital letter and has spaces between its words: `lineItems` is `Line items`. */
export function toLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
