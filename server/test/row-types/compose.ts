// Composes the texts of a statement from the source code. An insert of the type Sql is followed to its template:
// through constants, functions, destructured parameters and imports. Any other insert is a parameter. Where the code
// chooses (a condition, several returns, a key of an object), each run takes another option, and equally many options
// are taken in step.
import {
  type BindingElement,
  type CallExpression,
  type Identifier,
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type ObjectLiteralExpression,
  type ParameterDeclaration,
} from 'typescript/unstable/ast';
import { type Project, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';

/** Placeholders of the parameters until the text is complete: nullable, not null, and a list without null. */
const PARAMETERS = { nullable: '\u0001', value: '\u0002', list: '\u0003' };
export type ParameterKind = keyof typeof PARAMETERS;
const PLACEHOLDER = new RegExp(`[${Object.values(PARAMETERS).join('')}]`, 'g');
/** The parameter that holds the items of a statement over rows. */
export const ITEMS = PARAMETERS.value;

export interface Text {
  /** With `$1`, `$2` in place of the values. */
  sql: string;
  parameters: ParameterKind[];
}

export type FunctionNode = Node & {
  readonly parameters: readonly ParameterDeclaration[];
  readonly body?: Node | undefined;
};

/** A value of an expression that matters for a text. Other values are parameters. */
type Value =
  | { kind: 'text'; text: string }
  | Callee
  | { kind: 'object'; node: ObjectLiteralExpression; scope: Scope | undefined }
  | { kind: 'list'; items: readonly Node[]; scope: Scope | undefined };

interface Callee {
  kind: 'function';
  node: FunctionNode;
  scope: Scope | undefined;
}

interface BoundStatement {
  /** The argument. Undefined for an omitted one. */
  node?: Node | undefined;
  /** Where the argument is evaluated. Undefined: at the place that issues the statement. */
  scope: Scope | undefined;
  /** The value itself, in place of a node. */
  value?: Value;
  /** Property of the argument that the name stands for. */
  property?: string;
  initial?: Node | undefined;
}

interface Scope {
  names: Map<number, BoundStatement>;
  parent: Scope | undefined;
}

/** A text depends on a parameter of the function that issues the statement: its callers decide. */
class DependsOnCaller extends Error {
  readonly of: FunctionNode;

  constructor(of: FunctionNode) {
    super('The text depends on the caller.');
    this.of = of;
  }
}

/** Maximum number of texts of a statement for one caller. */
const MAX_RUNS = 24;

/** The text cannot be composed from the source. */
export class NotStatic extends Error {}

export interface Composer {
  /** Texts of the expression. */
  textsOf(node: Node): Text[];
  /** Texts of the function of a statement over rows, whose parameter is the table of rows. */
  textsOver(statement: Node, rows: string, columns: Node): Text[];
  isSql(node: Node): boolean;
}

export function createComposer({ checker }: Project, callsOf: (callee: FunctionNode) => CallExpression[]): Composer {
  const symbols = new Map<Node, number | undefined>();
  const declarations = new Map<number, Node | undefined>();
  let atIssuer: Map<number, BoundStatement> = new Map();
  let run = 0;
  let choices = new Set<number>();

  function symbolOf(name: Node): number | undefined {
    if (symbols.has(name)) return symbols.get(name);
    let symbol = checker.getSymbolAtLocation(name);
    if (symbol && (symbol.flags & SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
    symbols.set(name, symbol?.id);
    if (symbol && !declarations.has(symbol.id)) {
      declarations.set(symbol.id, (symbol.valueDeclaration ?? symbol.declarations[0])?.resolve());
    }
    return symbol?.id;
  }

  const isSqlType = (type: Type | undefined): boolean =>
    type !== undefined &&
    (type.isUnionType() ? type.getTypes().some(isSqlType) : ['Sql', 'Fragment'].includes(type.getSymbol()?.name ?? ''));
  const isSql = (node: Node): boolean => isSqlType(checker.getTypeAtLocation(node));

  const isNullType = ({ flags }: Type): boolean => (flags & NULLABLE) !== 0;

  /** A list comes from a typed array; `textArray` and `plainArray` (kit/db/pg-arrays.ts) write its text. */
  function parameterKind(expression: Node): ParameterKind {
    const argument = isCallExpression(expression) ? expression.arguments[0] : undefined;
    const isArrayText = /^(text|plain)Array\(/.test(expression.getText());
    const type = checker.getTypeAtLocation(isArrayText && argument ? argument : expression);
    const types = unionOf(type);
    if (types.length === 0 || types.some(isNullType)) return 'nullable';
    const isList = types.every((one) => {
      const element =
        checker.isArrayLikeType(one) && one.isTypeReference() ? checker.getTypeArguments(one)[0] : undefined;
      return element !== undefined && !unionOf(element).some(isNullType);
    });
    return isList ? 'list' : 'value';
  }

  function choose<T>(options: readonly T[]): T | undefined {
    if (options.length > 1) choices.add(options.length);
    return options[run % options.length];
  }

  function evaluate(node: Node, scope: Scope | undefined): Value | undefined {
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node)
    ) {
      return evaluate(node.expression, scope);
    }
    if (isTaggedTemplateExpression(node)) return { kind: 'text', text: compose(node.template, scope) };
    if (isConditionalExpression(node)) {
      const branch = choose([node.whenTrue, node.whenFalse]);
      return branch && evaluate(branch, scope);
    }
    if (isIdentifier(node)) return evaluateName(node, scope);
    if (isPropertyAccessExpression(node)) return propertyOf(evaluate(node.expression, scope), node.name.text);
    if (isElementAccessExpression(node)) return anyPropertyOf(evaluate(node.expression, scope));
    if (isObjectLiteralExpression(node)) return { kind: 'object', node, scope };
    if (isArrayLiteralExpression(node)) return { kind: 'list', items: node.elements, scope };
    if (isFunction(node)) return { kind: 'function', node, scope };
    if (isCallExpression(node)) {
      const callee = evaluate(node.expression, scope);
      const given = node.arguments.map((argument) => ({ node: argument, scope }));
      return callee?.kind === 'function' ? call(callee, given) : undefined;
    }
    return undefined;
  }

  function compose(template: Node, scope: Scope | undefined): string {
    if (isNoSubstitutionTemplateLiteral(template)) return template.text;
    if (!isTemplateExpression(template)) throw new NotStatic('a template of another kind');
    return template.templateSpans.reduce((text, { expression, literal }) => {
      const insert = isSql(expression) ? textIn(expression, scope) : PARAMETERS[parameterKind(expression)];
      return text + insert + literal.text;
    }, template.head.text);
  }

  function textIn(expression: Node, scope: Scope | undefined): string {
    const value = evaluate(expression, scope);
    if (value?.kind === 'text') return value.text;
    // The type allows a value too.
    const isEither = unionOf(checker.getTypeAtLocation(expression)).some((type) => !isSqlType(type));
    if (isEither) return PARAMETERS.value;
    throw new NotStatic(`the source does not show the text of ${expression.getText()}`);
  }

  function evaluateName(name: Identifier, scope: Scope | undefined): Value | undefined {
    const id = symbolOf(name);
    if (id === undefined) return undefined;
    for (let at = scope; at; at = at.parent) {
      const bound = at.names.get(id);
      if (bound) return evaluateBound(bound);
    }
    const bound = atIssuer.get(id);
    if (bound) return evaluateBound(bound);
    const declaration = declarations.get(id);
    if (declaration === undefined) return undefined;
    if (isParameterDeclaration(declaration)) throw new DependsOnCaller(functionAround(declaration));
    if (isVariableDeclaration(declaration)) return declaration.initializer && evaluate(declaration.initializer, scope);
    if (isBindingElement(declaration)) return evaluateElement(declaration, scope);
    return isFunctionDeclaration(declaration) ? { kind: 'function', node: declaration, scope: undefined } : undefined;
  }

  function evaluateElement(element: BindingElement, scope: Scope | undefined): Value | undefined {
    const owner = element.parent.parent;
    if (isParameterDeclaration(owner)) throw new DependsOnCaller(functionAround(owner));
    if (!isVariableDeclaration(owner) || !owner.initializer) return undefined;
    const value = evaluate(owner.initializer, scope);
    if (!isArrayBindingPattern(element.parent)) return propertyOf(value, nameOf(element));
    const item = value?.kind === 'list' ? value.items[element.parent.elements.indexOf(element)] : undefined;
    return item && value?.kind === 'list' ? evaluate(item, value.scope) : undefined;
  }

  function evaluateBound({ node, scope, value, property, initial }: BoundStatement): Value | undefined {
    const given = value ?? (node && evaluate(node, scope));
    const named = property === undefined ? given : propertyOf(given, property);
    return named ?? (initial && evaluate(initial, scope));
  }

  function propertyOf(value: Value | undefined, name: string): Value | undefined {
    if (value?.kind !== 'object') return undefined;
    const property = value.node.properties.find((one) => 'name' in one && one.name?.getText() === name);
    return property && evaluateProperty(property, value.scope);
  }

  function anyPropertyOf(value: Value | undefined): Value | undefined {
    if (value?.kind !== 'object') return undefined;
    const property = choose(value.node.properties);
    return property && evaluateProperty(property, value.scope);
  }

  function evaluateProperty(property: Node, scope: Scope | undefined): Value | undefined {
    if (isPropertyAssignment(property)) return evaluate(property.initializer, scope);
    if (isShorthandPropertyAssignment(property)) return evaluateShorthand(property.name, scope);
    return isMethodDeclaration(property) ? evaluate(property, scope) : undefined;
  }

  function evaluateShorthand(name: Node, scope: Scope | undefined): Value | undefined {
    const symbol = checker.getShorthandAssignmentValueSymbol(name.parent);
    if (!symbol || !isIdentifier(name)) return undefined;
    symbols.set(name, symbol.id);
    declarations.set(symbol.id, symbol.valueDeclaration?.resolve());
    return evaluateName(name, scope);
  }

  function call({ node, scope }: Callee, given: readonly BoundStatement[]): Value | undefined {
    const inner: Scope = { names: bind(node, given), parent: scope };
    const { body } = node;
    const returned = body && (isBlock(body) ? choose(returnsOf(body)) : body);
    return returned && evaluate(returned, inner);
  }

  function bind({ parameters }: FunctionNode, given: readonly BoundStatement[]): Map<number, BoundStatement> {
    const names = new Map<number, BoundStatement>();
    for (const [index, { name, initializer }] of parameters.entries()) {
      const bound = given[index] ?? { scope: undefined };
      if (isObjectBindingPattern(name)) {
        for (const element of name.elements) {
          const id = element.name && symbolOf(element.name);
          if (id) names.set(id, { ...bound, property: nameOf(element), initial: element.initializer });
        }
      } else {
        const id = symbolOf(name);
        if (id) names.set(id, { ...bound, initial: initializer });
      }
    }
    return names;
  }

  /** Calls `evaluateText` for each option, and again for each caller of a function whose parameter decides. */
  function textsFrom(evaluateText: () => string, depth = 0): string[] {
    const texts: string[] = [];
    choices = new Set();
    for (run = 0; run < runsFor(choices); run++) {
      try {
        texts.push(evaluateText());
      } catch (error) {
        if (!(error instanceof DependsOnCaller)) throw error;
        return textsOfCallers(error.of, evaluateText, depth);
      }
    }
    return texts;
  }

  function textsOfCallers(callee: FunctionNode, evaluateText: () => string, depth: number): string[] {
    const calls = callsOf(callee);
    if (calls.length === 0 || depth > 5) throw new NotStatic('no caller in the source gives the text');
    const before = atIssuer;
    try {
      return calls.flatMap((one) => {
        const given = one.arguments.map((node) => (isSpread(node) ? { scope: undefined } : { node, scope: undefined }));
        atIssuer = new Map([...before, ...bind(callee, given)]);
        return textsFrom(evaluateText, depth + 1);
      });
    } finally {
      atIssuer = before;
    }
  }

  return {
    isSql,
    textsOf: (node) => distinct(textsFrom(() => textIn(node, undefined))),
    textsOver: (statement, rows, columns) =>
      distinct(
        textsFrom(() => {
          const table: Value = { kind: 'text', text: `${rows}${textIn(columns, undefined)})` };
          const callee = evaluate(statement, undefined);
          const value = callee?.kind === 'function' ? call(callee, [{ value: table, scope: undefined }]) : undefined;
          if (value?.kind !== 'text') throw new NotStatic('the function of the rows returns no text');
          return value.text;
        }),
      ),
  };
}

const distinct = (texts: readonly string[]): Text[] => [...new Set(texts)].map(numbered);

/** As many runs as bring all combinations of choices with different numbers of options. */
const runsFor = (choices: ReadonlySet<number>): number =>
  Math.min(
    MAX_RUNS,
    [...choices].reduce((product, count) => product * count, 1),
  );

function numbered(text: string): Text {
  const parameters: ParameterKind[] = [];
  const sql = text.replaceAll(PLACEHOLDER, (placeholder) => {
    const kind = placeholder === PARAMETERS.list ? 'list' : placeholder === PARAMETERS.value ? 'value' : 'nullable';
    return `$${parameters.push(kind)}`;
  });
  return { sql, parameters };
}

const NULLABLE = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Unknown | TypeFlags.Any;

export const unionOf = (type: Type | undefined): readonly Type[] =>
  type === undefined ? [] : type.isUnionType() ? type.getTypes() : [type];

const nameOf = ({ propertyName, name }: BindingElement): string => (propertyName ?? name)?.getText() ?? '';

const isSpread = (node: Node): boolean => node.getText().startsWith('...');

const isFunction = (node: Node): node is FunctionNode =>
  isArrowFunction(node) || isFunctionExpression(node) || isFunctionDeclaration(node) || isMethodDeclaration(node);

export function functionAround(node: Node): FunctionNode {
  let at = node.parent;
  while (at && !isFunction(at)) at = at.parent;
  if (!at) throw new NotStatic('a parameter outside a function');
  return at;
}

function returnsOf(body: Node): Node[] {
  const found: Node[] = [];
  body.forEachChild(function visit(node): void {
    if (isFunction(node)) return;
    if (isReturnStatement(node) && node.expression) found.push(node.expression);
    else node.forEachChild(visit);
  });
  return found;
}
