// Reads the text of a pg_node_tree, in which Postgres keeps an analysed statement (src/backend/nodes/outfuncs.c).

export type Value = TreeNode | Value[] | string | null;

export interface TreeNode {
  type: string;
  fields: Map<string, Value>;
}

const TOKEN = /[{}()[\]]|<>|"(?:\\.|[^"\\])*"|(?:\\[\s\S]|[^\s(){}[\]])+/g;

export function parseTree(text: string): Value {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;

  function readNode(): TreeNode {
    const node: TreeNode = { type: tokens[at++] ?? '', fields: new Map() };
    while (tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1);
      const values: Value[] = [];
      while (at < tokens.length && tokens[at] !== '}' && !tokens[at]?.startsWith(':')) values.push(read());
      node.fields.set(name, values[0] ?? null); // the bytes of a constant follow its length
    }
    at += 1;
    return node;
  }

  function readList(end: string): Value[] {
    const list: Value[] = [];
    while (tokens[at] !== end) list.push(read());
    at += 1;
    return list;
  }

  function read(): Value {
    const token = tokens[at++];
    if (token === undefined) throw new Error('The tree ends too early.');
    if (token === '{') return readNode();
    if (token === '(') return readList(')');
    if (token === '[') return readList(']');
    return token === '<>' ? null : token;
  }

  return read();
}

export const isNode = (value: Value | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (node: TreeNode, field: string): string => {
  const value = node.fields.get(field);
  return typeof value === 'string' ? value.replaceAll('"', '') : '';
};

export const numberOf = (node: TreeNode, field: string): number => Number(textOf(node, field));

export const nodeOf = (node: TreeNode, field: string): TreeNode | undefined => {
  const value = node.fields.get(field);
  return isNode(value) ? value : undefined;
};

/** Returns the nodes of a list; a list of lists as one list. */
export const nodesOf = (node: TreeNode, field: string): TreeNode[] => flatten(node.fields.get(field));

export function flatten(value: Value | undefined): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  return isNode(value) ? [value] : [];
}
