// A contract in the view of the sweep.
import type { Row, RowCopier } from './copied-rows.ts';
import type { ApiRule } from './model.ts';

/** An object of the first app, whose row is copied to each server of the sweep. */
export interface TemplateObject {
  /** The name of its identifier in paths and bodies. */
  name: string;
  /** The identifier in /v1: with a prefix, or a number. */
  id: string;
  uuid: string;
  table: string;
  /** The column with the UUID. */
  column: string;
}

/** A list over all servers. */
export interface SweptList {
  path: string;
  /** The scopes that the key of the request has. */
  scopes: readonly string[];
  /** The scopes that a server must grant to have its objects listed. */
  granted: readonly string[];
  /** The name of the identifier that `idIn` returns. */
  idName: string;
  /** Returns the identifier of the server of an item; undefined for an item without a server. */
  idIn(item: Readonly<Record<string, unknown>>): unknown;
  /** The query parameter of the next page. */
  position: 'cursor' | 'after';
}

/** Calls /v1 with a key of the first app that has every scope, and returns the body. */
type CallFirst = (method: string, path: string, body?: unknown) => Promise<{ id: string; data: { id: string }[] }>;

export interface SweptContract {
  scopes: readonly string[];
  rules: Readonly<Record<string, ApiRule>>;
  /** Further ways of calling an operation, each with its own rule in the model. */
  additionalForms: Readonly<Record<string, { name: string; path: string }>>;
  /**
   * The calls of operations for which the path and the first example are not enough. Identifiers are in braces; `{newId}`
   * is one that no object has.
   */
  calls: Readonly<Record<string, { path?: string; body?: unknown }>>;
  /** The operations that end their object. Each permitted call gets its own. */
  ends: readonly string[];
  /** Returns an identifier of this name that no object has; undefined if the name is unknown. */
  missingId(name: string): string | undefined;
  lists: readonly SweptList[];
  /** An event type that the template has, and another one. */
  eventTypes: readonly [string, string];
  /** A deprecation of the contract. */
  deprecationId: string;
  /** The management API's identifier of the object on which an event is triggered. */
  triggerId(serverId: string): string;
  /** An object that the management API reads as sandbox data. */
  worldObject: {
    prefix: string;
    table: string;
    column: string;
    /** The values of the row to copy, for a table with several kinds of objects. */
    only?: Readonly<Record<string, string>>;
    /** Returns the columns of a copy that must differ, or that depend on the app. */
    rest?(appId: string): Row;
  };
  /** Tables with a row for each server, in addition to those of the objects. */
  rowsOfServer: readonly string[];
  /** True if some objects are below no server, so that the account of the app grants their scopes. */
  hasAccount: boolean;
  /** Creates the objects of the template in the first app. */
  makeObjects(call: CallFirst, db: RowCopier, appId: string): Promise<TemplateObject[]>;
}
