// Determines which columns of a statement can be null. Postgres analyses the statement as the body of a function, and
// its tree shows the table of each column, the outer joins and the expressions. An expression is nullable unless a rule
// here says otherwise.
import type pg from 'pg';
import type { ParameterKind } from './compose.ts';
import { flatten, nodeOf, nodesOf, numberOf, parseTree, type TreeNode, textOf } from './node-tree.ts';

export interface Catalogue {
  notNull: ReadonlySet<string>;
  /** `pg_catalog.count` by oid. */
  functions: ReadonlyMap<number, string>;
  operators: ReadonlyMap<number, string>;
}

export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const { rows: columns } = await client.query<{ id: string }>(
    `select attrelid || '.' || attnum as id from pg_attribute where attnotnull or attnum < 0`,
  );
  const { rows: functions } = await client.query<{ oid: number; name: string }>(
    `select p.oid, nspname || '.' || proname as name from pg_proc p join pg_namespace n on n.oid = pronamespace`,
  );
  const { rows: operators } = await client.query<{ oid: number; name: string }>(
    'select oid, oprname as name from pg_operator',
  );
  return {
    notNull: new Set(columns.map(({ id }) => id)),
    functions: new Map(functions.map(({ oid, name }) => [oid, name])),
    operators: new Map(operators.map(({ oid, name }) => [oid, name])),
  };
}

interface Parameters {
  /** Names of their types. */
  types: readonly string[];
  /** The kinds of the parameters in the code. */
  given: readonly ParameterKind[];
}

/** Returns for each column whether it can be null. */
export async function nullabilityOf(
  client: pg.ClientBase,
  catalogue: Catalogue,
  text: string,
  { types, given }: Parameters,
): Promise<boolean[]> {
  await client.query('begin');
  try {
    await client.query(
      `create function pg_temp.analysed(${types.join(', ')}) returns void language sql begin atomic ${text}; end`,
    );
    const { rows } = await client.query<{ body: string }>(
      `select prosqlbody::text as body from pg_proc where proname = 'analysed' and pronamespace = pg_my_temp_schema()`,
    );
    const [query] = flatten(parseTree(rows[0]?.body ?? '<>'));
    if (!query) throw new Error('Postgres kept no tree of the statement.');
    return outputsOf(query, { catalogue, given }, undefined);
  } finally {
    await client.query('rollback');
  }
}

const COMMAND = { update: 2, insert: 3 };
const RTE = { relation: 0, subquery: 1, join: 2, function: 3, values: 5, cte: 6, group: 9 };
const JOIN = { inner: 0, left: 1, full: 2, right: 3 };
const SUBLINK = { exists: 0, any: 2, expression: 4, array: 6 };
const IS_NOT_NULL = 1;
const CASTS = [1, 2]; // explicit and implicit

/** Functions that can return null for arguments that are not null. */
const NULLABLE_FUNCTIONS = new Set(
  ['current_setting', 'substring', 'array_length', 'array_position', 'regexp_match', 'to_regclass'].map(
    (name) => `pg_catalog.${name}`,
  ),
);
/** Functions that never return null. An aggregate among them never returns null for a group of rows. */
const NEVER_NULL = new Set(
  ['json_build_object', 'json_agg', 'jsonb_agg', 'array_agg', 'num_nonnulls'].map((name) => `pg_catalog.${name}`),
);
/** Functions of the migrations that return null for a null argument only, and functions whose rows have no null. */
export const OWN_FUNCTIONS = new Set(
  [
    'access_lock',
    'add_capture_key',
    'drop_partitions',
    'erase_keys',
    'erase_rows',
    'find_faceted_requests',
    'master_key_of',
    'newest_audit_head',
    'partition_bounds',
    'trim_default_records',
    'trim_request_records',
    'uuid_floor',
  ].map((name) => `public.${name}`),
);
const NULLABLE_OPERATORS = new Set(['->', '->>', '#>', '#>>']);
const RANKS = new Set(['row_number', 'rank', 'dense_rank', 'count'].map((name) => `pg_catalog.${name}`));

interface QueryContext {
  catalogue: Catalogue;
  given: readonly ParameterKind[];
}

interface Scope {
  query: TreeNode;
  known: QueryContext;
  parent: Scope | undefined;
  /** Relations on the nullable side of an outer join. */
  extended: Set<number>;
  /** Set for the values that UPDATE reads: those before the change. */
  isBefore?: boolean;
  /** `relation.column` of columns that the conditions do not let pass as null. */
  proven: Set<string>;
}

const underWay = new Set<TreeNode>();

function outputsOf(query: TreeNode, known: QueryContext, parent: Scope | undefined): boolean[] {
  const scope = scopeOf(query, known, parent);
  const isChange = textOf(query, 'commandType') !== '1';
  const targets = nodesOf(query, isChange ? 'returningList' : 'targetList').filter(
    (target) => textOf(target, 'resjunk') !== 'true',
  );
  const arms = nodeOf(query, 'setOperations');
  if (!arms) return targets.map((target) => isNullable(nodeOf(target, 'expr'), scope));
  const outputs = leavesOf(arms).map((index) => {
    const subquery = nodeOf(relationOf(scope, index), 'subquery');
    return subquery ? outputsOf(subquery, known, scope) : [];
  });
  return targets.map((_, index) => outputs.some((arm) => arm[index] ?? false));
}

function scopeOf(query: TreeNode, known: QueryContext, parent: Scope | undefined): Scope {
  const scope: Scope = { query, known, parent, extended: new Set(), proven: new Set() };
  const visit = (node: TreeNode | undefined, isExtended: boolean): void => {
    if (!node) return;
    if (node.type === 'RANGETBLREF' && isExtended) scope.extended.add(numberOf(node, 'rtindex'));
    if (node.type === 'JOINEXPR') {
      const kind = numberOf(node, 'jointype');
      visit(nodeOf(node, 'larg'), isExtended || kind === JOIN.full || kind === JOIN.right);
      visit(nodeOf(node, 'rarg'), isExtended || kind === JOIN.full || kind === JOIN.left);
      if (kind === JOIN.inner && !isExtended) addNonNullColumns(nodeOf(node, 'quals'), scope);
    }
    if (node.type === 'FROMEXPR') {
      for (const item of nodesOf(node, 'fromlist')) visit(item, isExtended);
      addNonNullColumns(nodeOf(node, 'quals'), scope);
    }
  };
  visit(nodeOf(query, 'jointree'), false);
  // A row that an outer join extends with nulls does not pass a strict condition on its relation.
  for (const column of scope.proven) scope.extended.delete(Number(column.split('.')[0]));
  if (numberOf(query, 'commandType') === COMMAND.update) {
    for (const target of nodesOf(query, 'targetList')) {
      scope.proven.delete(`${textOf(query, 'resultRelation')}.${textOf(target, 'resno')}`);
    }
  }
  return scope;
}

function addNonNullColumns(condition: TreeNode | undefined, scope: Scope): void {
  for (const column of listStrictColumns(condition)) scope.proven.add(column);
}

/** Columns without which the condition is not true: it is null or false where one of them is null. */
function listStrictColumns(condition: TreeNode | undefined): string[] {
  if (!condition) return [];
  switch (condition.type) {
    case 'BOOLEXPR': {
      const parts = nodesOf(condition, 'args').map(listStrictColumns);
      if (textOf(condition, 'boolop') !== 'or') return parts.flat();
      return (parts[0] ?? []).filter((column) => parts.every((part) => part.includes(column)));
    }
    case 'NULLTEST':
      return numberOf(condition, 'nulltesttype') === IS_NOT_NULL ? columnsUnder(nodeOf(condition, 'arg')) : [];
    case 'SUBLINK':
      return numberOf(condition, 'subLinkType') === SUBLINK.any ? listStrictColumns(nodeOf(condition, 'testexpr')) : [];
    default:
      return columnsUnder(condition);
  }
}

/** Columns whose null makes the expression null. */
function columnsUnder(expression: TreeNode | undefined): string[] {
  if (!expression) return [];
  switch (expression.type) {
    case 'VAR':
      return numberOf(expression, 'varlevelsup') === 0
        ? [`${textOf(expression, 'varno')}.${textOf(expression, 'varattno')}`]
        : [];
    case 'OPEXPR':
      return nodesOf(expression, 'args').flatMap(columnsUnder);
    case 'SCALARARRAYOPEXPR':
      return textOf(expression, 'useOr') === 'true' ? nodesOf(expression, 'args').flatMap(columnsUnder) : [];
    case 'FUNCEXPR':
      return CASTS.includes(numberOf(expression, 'funcformat'))
        ? nodesOf(expression, 'args').flatMap(columnsUnder)
        : [];
    case 'RELABELTYPE':
    case 'COERCEVIAIO':
    case 'ARRAYCOERCEEXPR':
      return columnsUnder(nodeOf(expression, 'arg'));
    default:
      return [];
  }
}

function leavesOf(arms: TreeNode): number[] {
  if (arms.type === 'RANGETBLREF') return [numberOf(arms, 'rtindex')];
  return ['larg', 'rarg'].flatMap((side) => leavesOf(nodeOf(arms, side) ?? arms));
}

const relationOf = ({ query }: Scope, index: number): TreeNode =>
  nodesOf(query, 'rtable')[index - 1] ?? { type: '', fields: new Map() };

function isNullable(expression: TreeNode | undefined, scope: Scope): boolean {
  if (!expression) return true;
  const some = (field: string): boolean => nodesOf(expression, field).some((one) => isNullable(one, scope));
  const argument = (field = 'arg'): boolean => isNullable(nodeOf(expression, field), scope);
  switch (expression.type) {
    case 'VAR':
      return isColumnNullable(expression, scope);
    case 'CONST':
      return textOf(expression, 'constisnull') === 'true';
    case 'NULLTEST':
    case 'BOOLEANTEST':
    case 'DISTINCTEXPR':
    case 'ROWEXPR':
    case 'ROW':
    case 'ARRAYEXPR':
    case 'ARRAY':
    case 'SQLVALUEFUNCTION':
    case 'JSONCONSTRUCTOREXPR':
      return false;
    case 'COALESCEEXPR':
    case 'COALESCE':
    case 'MINMAXEXPR':
    case 'MINMAX':
      return nodesOf(expression, 'args').every((one) => isNullable(one, scope));
    case 'CASEEXPR':
    case 'CASE':
      return (
        argument('defresult') || nodesOf(expression, 'args').some((when) => isNullable(nodeOf(when, 'result'), scope))
      );
    case 'BOOLEXPR':
    case 'SCALARARRAYOPEXPR':
      return some('args');
    case 'OPEXPR':
      return (
        NULLABLE_OPERATORS.has(scope.known.catalogue.operators.get(numberOf(expression, 'opno')) ?? '') || some('args')
      );
    case 'FUNCEXPR': {
      const name = scope.known.catalogue.functions.get(numberOf(expression, 'funcid')) ?? '';
      if (NEVER_NULL.has(name)) return false;
      return (
        !(name.startsWith('pg_catalog.') || OWN_FUNCTIONS.has(name)) || NULLABLE_FUNCTIONS.has(name) || some('args')
      );
    }
    case 'PARAM':
      return scope.known.given[numberOf(expression, 'paramid') - 1] === 'nullable';
    case 'RELABELTYPE':
    case 'COERCEVIAIO':
    case 'ARRAYCOERCEEXPR':
    case 'COLLATEEXPR':
    case 'NAMEDARGEXPR':
      return argument();
    case 'AGGREF':
      return isAggregateNullable(expression, scope);
    case 'WINDOWFUNC': {
      const name = scope.known.catalogue.functions.get(numberOf(expression, 'winfnoid')) ?? '';
      // The frame of a sum holds the row itself.
      return !RANKS.has(name) && (name !== 'pg_catalog.sum' || some('args'));
    }
    case 'SUBLINK':
      return isSubqueryNullable(expression, scope);
    default:
      return true;
  }
}

/** An aggregate other than count is null without rows; a group has rows, and without a filter they all count. */
function isAggregateNullable(aggregate: TreeNode, scope: Scope): boolean {
  const name = scope.known.catalogue.functions.get(numberOf(aggregate, 'aggfnoid')) ?? '';
  if (name === 'pg_catalog.count') return false;
  const isGrouped = nodesOf(scope.query, 'groupClause').length > 0;
  if (!isGrouped || nodeOf(aggregate, 'aggfilter')) return true;
  if (NEVER_NULL.has(name)) return false;
  return nodesOf(aggregate, 'args').some((target) => isNullable(nodeOf(target, 'expr'), scope));
}

function isSubqueryNullable(sublink: TreeNode, scope: Scope): boolean {
  const kind = numberOf(sublink, 'subLinkType');
  if (kind === SUBLINK.exists || kind === SUBLINK.array) return false;
  const query = nodeOf(sublink, 'subselect');
  if (!query) return true;
  const isNull = outputsOf(query, scope.known, scope)[0] ?? true;
  if (kind === SUBLINK.any) return isNull || columnsOf(nodeOf(sublink, 'testexpr'), scope);
  // Only an aggregate without groups gives a row in any case.
  const hasOneRow =
    textOf(query, 'hasAggs') === 'true' && nodesOf(query, 'groupClause').length === 0 && !nodeOf(query, 'havingQual');
  return kind !== SUBLINK.expression || !hasOneRow || isNull;
}

/** The left side of IN: its other argument is the subquery's. */
const columnsOf = (test: TreeNode | undefined, scope: Scope): boolean => {
  const [left] = test ? nodesOf(test, 'args') : [];
  return isNullable(left, scope);
};

function isColumnNullable(column: TreeNode, inner: Scope): boolean {
  let scope: Scope | undefined = inner;
  for (let up = numberOf(column, 'varlevelsup'); up > 0; up--) scope = scope?.parent;
  if (!scope) return true;
  const index = numberOf(column, 'varno');
  const attribute = numberOf(column, 'varattno');
  if (scope.proven.has(`${index}.${attribute}`)) return false;
  if (scope.extended.has(index)) return true;
  const relation = relationOf(scope, index);
  switch (numberOf(relation, 'rtekind')) {
    case RTE.relation:
      return isStoredNullable(scope, relation, index, attribute);
    case RTE.subquery:
      return outputOf(nodeOf(relation, 'subquery'), scope, attribute);
    case RTE.join:
      return isNullable(nodesOf(relation, 'joinaliasvars')[attribute - 1], scope);
    case RTE.group:
      return isNullable(nodesOf(relation, 'groupexprs')[attribute - 1], scope);
    case RTE.values:
      return (relation.fields.get('values_lists') as TreeNode[][]).some((row) => isNullable(row[attribute - 1], inner));
    case RTE.function:
      return isFunctionNullable(relation, scope, attribute);
    case RTE.cte:
      return isCteNullable(relation, scope, attribute);
    default:
      return true;
  }
}

/** A column of a function in FROM. The list of a parameter has no null, and WITH ORDINALITY counts. */
function isFunctionNullable(relation: TreeNode, scope: Scope, attribute: number): boolean {
  const calls = nodesOf(relation, 'functions').map((one) => nodeOf(one, 'funcexpr'));
  const call = calls.length === 1 ? calls[0] : calls[attribute - 1];
  if (!call) return textOf(relation, 'funcordinality') !== 'true';
  const name = scope.known.catalogue.functions.get(numberOf(call, 'funcid')) ?? '';
  if (OWN_FUNCTIONS.has(name) || name === 'pg_catalog.generate_series') return false;
  if (name !== 'pg_catalog.unnest') return true;
  if (calls.length === 1 && attribute > 1) return textOf(relation, 'funcordinality') !== 'true';
  const list = nodesOf(call, 'args')[0];
  const parameter = list && parameterUnder(list);
  return !parameter || scope.known.given[numberOf(parameter, 'paramid') - 1] !== 'list';
}

function parameterUnder(expression: TreeNode): TreeNode | undefined {
  if (expression.type === 'PARAM') return expression;
  const inner = nodeOf(expression, 'arg');
  return inner && parameterUnder(inner);
}

function outputOf(query: TreeNode | undefined, scope: Scope, attribute: number): boolean {
  if (!query) return true;
  // A recursive part adds no null of its own.
  if (underWay.has(query)) return false;
  underWay.add(query);
  try {
    return outputsOf(query, scope.known, scope)[attribute - 1] ?? true;
  } finally {
    underWay.delete(query);
  }
}

function isCteNullable(relation: TreeNode, from: Scope, attribute: number): boolean {
  let scope: Scope | undefined = from;
  for (let up = numberOf(relation, 'ctelevelsup'); up > 0; up--) scope = scope?.parent;
  const name = textOf(relation, 'ctename');
  const cte = scope && nodesOf(scope.query, 'cteList').find((one) => textOf(one, 'ctename') === name);
  return !scope || !cte || outputOf(nodeOf(cte, 'ctequery'), scope, attribute);
}

/** A column of a table, which RETURNING shows as the statement wrote it. */
function isStoredNullable(scope: Scope, relation: TreeNode, index: number, attribute: number): boolean {
  if (attribute === 0 || scope.known.catalogue.notNull.has(`${textOf(relation, 'relid')}.${attribute}`)) return false;
  const command = numberOf(scope.query, 'commandType');
  const isWritten =
    !scope.isBefore &&
    (command === COMMAND.update || (command === COMMAND.insert && !nodeOf(scope.query, 'onConflict'))) &&
    numberOf(scope.query, 'resultRelation') === index;
  const target = nodesOf(scope.query, 'targetList').find((one) => numberOf(one, 'resno') === attribute);
  return !isWritten || !target || isNullable(nodeOf(target, 'expr'), { ...scope, isBefore: true });
}
