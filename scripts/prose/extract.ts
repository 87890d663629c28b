// Takes the prose out of a file: Markdown without its code, comments, test titles, the sentences among string literals
// and JSX, and the descriptions of a contract.
import { type Comment, parseSync } from 'oxc-parser';

export type Kind = 'docs' | 'comments' | 'titles' | 'texts' | 'contract';

export interface Prose {
  kind: Kind;
  text: string;
  line: number;
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;

/** Replaces the matches by spaces. Line breaks stay, so that line numbers stay correct. */
const blank = (text: string, pattern: RegExp): string =>
  text.replaceAll(pattern, (found) => found.replaceAll(/[^\n]/gu, ' '));

/** Returns one text per paragraph, list item, table row or heading. */
export function proseOfMarkdown(source: string): Prose[] {
  const plain = [
    /^---\n[\s\S]*?\n---\n/gu,
    /```[\s\S]*?```/gu,
    /<!--[\s\S]*?-->/gu,
    /`[^`\n]*`/gu,
    /\]\([^)]*\)/gu,
  ].reduce(blank, source);
  const found: Prose[] = [];
  let begun = 0;
  let lines: string[] = [];
  const end = (): void => {
    const text = lines.join(' ').trim();
    if (text !== '') found.push({ kind: 'docs', text, line: begun + 1 });
    lines = [];
  };
  plain.split('\n').forEach((line, index) => {
    const isStart = /^\s*(?:[-*+>#|]|\d+\.)/u.test(line);
    if (isStart || line.trim() === '') end();
    if (lines.length === 0) begun = index;
    if (line.trim() === '') return;
    if (line.trimStart().startsWith('|')) {
      for (const cell of line.split('|')) {
        lines = [cell];
        end();
      }
      return;
    }
    lines.push(line.replace(/^\s*(?:[-*+>#]+|\d+\.)\s*/u, ''));
  });
  end();
  return found;
}

/** Comments for tools, which are not prose. */
const DIRECTIVE = /^(?:!|\s*(?:biome-ignore|@ts-|@type|eslint|#__PURE__|v8 ignore|c8 ignore|\/\s*<reference))/u;

/** Returns the comments as texts. Consecutive `//` lines are one text. */
function joinComments(source: string, comments: readonly Comment[]): Prose[] {
  const found: { text: string; line: number; end: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    if (DIRECTIVE.test(value)) continue;
    const isLine = type === 'Line';
    const text = value
      .replaceAll(/^\s*\*+ ?/gmu, '')
      .replaceAll(/`[^`\n]*`/gu, ' ')
      .trim();
    const last = found.at(-1);
    if (
      isLine &&
      last?.isLine &&
      /^\s*$/u.test(source.slice(last.end, start)) &&
      !/\n\s*\n/u.test(source.slice(last.end, start))
    ) {
      last.text += ` ${text}`;
      last.end = end;
    } else found.push({ text, line: lineAt(source, start), end, isLine });
  }
  return found.filter(({ text }) => text !== '').map(({ text, line }) => ({ kind: 'comments', text, line }));
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'JSXText' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral') {
    const { quasis } = node as unknown as { quasis: { value: { raw: string } }[] }; // as ESTree has it
    return quasis.map(({ value }) => value.raw).join('…');
  }
  return undefined;
}

const TESTS = new Set(['test', 'it', 'describe']);

/**
 * Returns true for `test`, `it` and `describe`, for their members, and for the result of such a member
 * (`test.each(…)`).
 */
function isTest(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return TESTS.has(String(callee.name));
  if (callee.type === 'MemberExpression') return isTest(callee.object);
  return callee.type === 'CallExpression' && isTest(callee.callee);
}

/** Returns true for a sentence, and false for a name, class list, SQL statement, path or pattern. */
export const isSentence = (text: string): boolean =>
  /^[\p{Lu}\p{Ll}“"'(…]/u.test(text.trim()) &&
  text.trim().split(/\s+/u).length >= 4 &&
  !/^\s*(?:select|insert|update|delete|with|create|alter|drop|grant|revoke|set|begin|lock|merge|truncate|comment on|explain|copy|union|from|where|and|or|join|left join|order by|group by|returning|on conflict|values)\b/iu.test(
    text,
  ) &&
  !/[{};]\s*$|=>|\b[a-z]+_[a-z_]+ = |::|\$\d/u.test(text);

/** Returns comments, test titles and the sentences among the texts of a module. Throws if it cannot be parsed. */
export function proseOfModule(file: string, source: string): Prose[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found = joinComments(source, comments);
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one);
      return;
    }
    if (!isNode(value)) return;
    if (value.type === 'ImportDeclaration') return;
    let seen: unknown;
    if (value.type === 'CallExpression' && isTest(value.callee)) {
      const title = textOf((value.arguments as unknown[])[0]); // as ESTree has it
      if (title !== undefined) {
        found.push({ kind: 'titles', text: title, line: lineAt(source, value.start) });
        seen = (value.arguments as unknown[])[0];
      }
    }
    const text = textOf(value);
    if (text !== undefined && isSentence(text))
      found.push({ kind: 'texts', text: text.replaceAll(/`[^`]*`/gu, ' '), line: lineAt(source, value.start) });
    for (const child of Object.values(value)) {
      if (child === value.arguments && seen !== undefined) visit((child as unknown[]).filter((one) => one !== seen));
      else if (typeof child === 'object' && child !== null) visit(child);
    }
  };
  visit(program);
  return found;
}

/** Returns the summaries and descriptions of an OpenAPI document. */
export function proseOfContract(source: string): Prose[] {
  const found: Prose[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if ((key === 'description' || key === 'summary') && typeof child === 'string') {
        found.push({ kind: 'contract', text: child.replaceAll(/`[^`\n]*`/gu, ' '), line: 0 });
      } else visit(child);
    }
  };
  visit(JSON.parse(source));
  const texts = new Set<string>();
  return found.filter(({ text }) => !texts.has(text) && texts.add(text));
}
