// Collects the statements of server/src with the row type that the code states for each, through the API of the
// TypeScript compiler.
import {
  type CallExpression,
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
  type Symbol as TypeSymbol,
} from 'typescript/unstable/sync';
import { createComposer, type FunctionNode, ITEMS, NotStatic, type Text, unionOf } from './compose.ts';

/** The type of a column in a row type: the kinds of its values without null. */
export interface RowMember {
  name: string;
  /** Identifies the declaration, which several row types can share. */
  declaration: string;
  kinds: string[];
  isNullable: boolean;
  isOptional: boolean;
}

export interface SqlStatement {
  /** Path from the root. */
  file: string;
  line: number;
  /** The code of the call up to its first line break. */
  code: string;
  /** The texts of all branches. */
  texts: Text[];
  /** Undefined where the code uses no row. */
  row: RowMember[] | undefined;
  /** Columns that the code adds to each row of a statement over rows. */
  added: string[];
  /** Why the statement cannot be checked. */
  refusal?: string;
}

/** Methods of a database, a tenant and a transaction: each takes the statement first and returns its rows. */
const WITH_ROWS = new Set(['query', 'sendForRows', 'withCommit', 'sendAfterCommit']);
const WITHOUT_ROWS = new Set(['send', 'sendLast']);
/**
 * Statements over rows (kit/db/item-statement-store.ts): the columns of the items, and the function of the table of
 * items.
 */
const OVER_ROWS = new Set(['defineItemRead', 'defineItemLock', 'defineItemWrite']);
const TABLE_OF_ITEMS = `json_to_recordset(${ITEMS}::json) as item (nth int, app_id uuid, `;

export function collectStatements(root: string): SqlStatement[] {
  const api = new API({ cwd: root });
  try {
    const config = `${root}/server/tsconfig.json`;
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    if (!project) throw new Error(`The compiler did not open ${config}.`);
    return collect(project, root);
  } finally {
    api.close();
  }
}

function collect(project: Project, root: string): SqlStatement[] {
  const { program, checker } = project;
  const files = program
    .getSourceFileNames()
    .filter((name) => name.startsWith(`${root}/server/src/`) && !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => program.getSourceFile(name))
    .filter((file) => file !== undefined);
  const calls = files.flatMap((file) => callsIn(file));
  const composer = createComposer(project, (callee) => callsOf(checker, calls, callee));

  const placeOf = (node: Node): Pick<SqlStatement, 'file' | 'line' | 'code'> => {
    const file = node.getSourceFile();
    const line = file.text.slice(0, node.getStart()).split('\n').length;
    return { file: file.fileName.slice(root.length + 1), line, code: node.getText().split('\n')[0] ?? '' };
  };

  function statement(
    node: Node,
    compose: () => Text[],
    row: () => Type | undefined,
    added: string[] = [],
  ): SqlStatement {
    const location = placeOf(node);
    try {
      return { ...location, texts: compose(), row: membersOf(checker, row()), added };
    } catch (error) {
      if (!(error instanceof NotStatic)) throw error;
      return { ...location, texts: [], row: undefined, added, refusal: error.message };
    }
  }

  function statementsOf(node: CallExpression): SqlStatement[] {
    const [first, second] = node.arguments;
    const name = calleeOf(node)?.getText() ?? '';
    if (!first) return [];
    if (OVER_ROWS.has(name) && second) {
      const row = () => checker.getTypeAtLocation(node)?.getAliasTypeArguments()[1] ?? typeArgument(checker, node, 1);
      return [statement(node, () => composer.textsOver(second, TABLE_OF_ITEMS, first), row, ['nth'])];
    }
    if (name === 'together' && isArrayLiteralExpression(first)) {
      return first.elements.map((one, index) => {
        const isLast = index === first.elements.length - 1;
        return statement(
          one,
          () => composer.textsOf(one),
          () => (isLast ? rowOf(checker, node) : undefined),
        );
      });
    }
    if (name === 'readRevised') {
      const page = node.arguments[2];
      return page
        ? [
            statement(
              node,
              () => composer.textsOf(page),
              () => pageRowOf(checker, node),
            ),
          ]
        : [];
    }
    if (WITHOUT_ROWS.has(name) && composer.isSql(first)) {
      return [
        statement(
          node,
          () => composer.textsOf(first),
          () => undefined,
        ),
      ];
    }
    if (name === 'first' && composer.isSql(first)) {
      return [
        statement(
          node,
          () => composer.textsOf(first),
          () => firstRowOf(checker, node),
        ),
      ];
    }
    if (WITH_ROWS.has(name) && composer.isSql(first)) {
      return [
        statement(
          node,
          () => composer.textsOf(first),
          () => rowOf(checker, node),
        ),
      ];
    }
    return [];
  }

  return calls
    .filter((node) => !node.getSourceFile().fileName.startsWith(`${root}/server/src/kit/db/db`))
    .flatMap(statementsOf);
}

function callsIn(file: SourceFile): CallExpression[] {
  const found: CallExpression[] = [];
  file.forEachChild(function visit(node): void {
    if (isCallExpression(node)) found.push(node);
    node.forEachChild(visit);
  });
  return found;
}

const calleeOf = ({ expression }: CallExpression): Node | undefined => {
  if (isPropertyAccessExpression(expression)) return expression.name;
  return isIdentifier(expression) ? expression : undefined;
};

/** The calls of a function that is declared by name. */
function callsOf(checker: Checker, calls: readonly CallExpression[], callee: FunctionNode): CallExpression[] {
  const declared = 'name' in callee && callee.name ? (callee.name as Node) : nameOfConstant(callee);
  if (!declared) return [];
  const own = checker.getSymbolAtLocation(declared)?.id;
  return calls.filter((one) => {
    const name = calleeOf(one);
    if (!name || name.getText() !== declared.getText()) return false;
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && (symbol.flags & SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    return target?.id === own;
  });
}

const nameOfConstant = ({ parent }: Node): Node | undefined =>
  'name' in parent && 'initializer' in parent ? (parent.name as Node) : undefined; // a VariableDeclaration

/** The Row of a call that returns `Promise<Row[]>`. */
function rowOf(checker: Checker, node: CallExpression): Type | undefined {
  const rows = typeArgumentOf(checker, checker.getTypeAtLocation(node));
  return rows && typeArgumentOf(checker, rows);
}

/** The Row of a call that returns `Promise<Row | undefined>`. */
const firstRowOf = (checker: Checker, node: CallExpression): Type | undefined =>
  unionOf(typeArgumentOf(checker, checker.getTypeAtLocation(node))).find(
    ({ flags }) => (flags & TypeFlags.Undefined) === 0,
  );

/** The Row of a call that returns `Promise<{ revision: number; rows: Row[] }>`. */
function pageRowOf(checker: Checker, node: CallExpression): Type | undefined {
  const page = typeArgumentOf(checker, checker.getTypeAtLocation(node));
  const rows = page && checker.getPropertyOfType(page, 'rows');
  const type = rows && checker.getTypeOfSymbol(rows);
  return type && typeArgumentOf(checker, type);
}

const typeArgumentOf = (checker: Checker, type: Type | undefined): Type | undefined =>
  type?.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined;

function typeArgument(checker: Checker, node: CallExpression, index: number): Type | undefined {
  const stated = node.typeArguments?.[index];
  return stated && checker.getTypeFromTypeNode(stated);
}

const UNUSED = TypeFlags.Unknown | TypeFlags.Never;

function membersOf(checker: Checker, row: Type | undefined): RowMember[] | undefined {
  if (row === undefined || (row.flags & UNUSED) !== 0) return undefined;
  if ([row, ...(row.isIntersectionType() ? row.getTypes() : [])].some((type) => type.isTypeParameter())) {
    throw new NotStatic('the row type is a parameter of the function');
  }
  return checker.getPropertiesOfType(row).map((property) => {
    const types = unionOf(checker.getTypeOfSymbol(property)).filter(({ flags }) => (flags & TypeFlags.Undefined) === 0);
    const isNull = (type: Type): boolean => (type.flags & TypeFlags.Null) !== 0;
    return {
      name: property.name,
      declaration: declarationOf(property),
      kinds: [...new Set(types.filter((type) => !isNull(type)).map((type) => kindOf(checker, type)))],
      isNullable: types.some(isNull),
      isOptional: (property.flags & SymbolFlags.Optional) !== 0,
    };
  });
}

function declarationOf({ name, declarations }: TypeSymbol): string {
  const [first] = declarations;
  return first ? `${first.path} ${first.index}` : name;
}

const PRIMITIVES: [TypeFlags, string][] = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
];

/** Returns the kind of value as `kindOfValue` names it. */
function kindOf(checker: Checker, type: Type): string {
  const primitive = PRIMITIVES.find(([flag]) => (type.flags & flag) !== 0);
  if (primitive) return primitive[1];
  // A branded string is an intersection with a string.
  if (type.isIntersectionType()) {
    const kinds = type.getTypes().map((one) => kindOf(checker, one));
    return kinds.find((kind) => kind !== 'object') ?? 'object';
  }
  if (checker.isArrayLikeType(type)) {
    const kinds = new Set(unionOf(typeArgumentOf(checker, type)).map((one) => kindOf(checker, one)));
    return `${[...kinds].join('|')}[]`;
  }
  const name = type.getSymbol()?.name ?? '';
  return ['Date', 'Buffer'].includes(name) ? name : 'object';
}
