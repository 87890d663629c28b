// SQL as tagged templates: every interpolated value becomes a parameter, so a statement cannot be built by
// concatenation. A fragment inside a fragment is spliced with its own parameters.

export interface Sql {
  /** The statement with $1, $2 ... in place of its values. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** A name that is the same for the same text: the statement is parsed and planned once per connection. */
  readonly name: string;
}

/**
 * Recognised by its class, of which no external value is an instance. (A set of all fragments made the garbage
 * collector visit each.)
 */
class Fragment implements Sql {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];

  constructor({ text, name }: RenderedStatement, values: readonly unknown[]) {
    this.text = text;
    this.name = name;
    this.values = values;
  }
}

const names = new Map<string, string>();

interface RenderedStatement {
  text: string;
  name: string;
}

/**
 * Rendered statements by template, and by the names of the fragments in it. Rendering a long text and looking it up
 * took longer than sending it.
 */
const rendered = new WeakMap<TemplateStringsArray, Map<string, RenderedStatement>>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

export function sql(strings: TemplateStringsArray, ...inserts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  let shape = '';
  for (const insert of inserts) {
    if (insert instanceof Fragment) {
      values.push(...insert.values);
      shape += insert.name;
    } else values.push(insert);
    shape += ',';
  }
  return new Fragment(shapeOf(strings, shape, inserts), values);
}

function shapeOf(strings: TemplateStringsArray, shape: string, inserts: readonly unknown[]): RenderedStatement {
  const shapes = rendered.get(strings) ?? new Map<string, RenderedStatement>();
  const known = shapes.get(shape);
  if (known) return known;
  const text = render(strings, inserts);
  const made = { text, name: nameOf(text) };
  rendered.set(strings, shapes.set(shape, made));
  return made;
}

function render(strings: readonly string[], inserts: readonly unknown[]): string {
  let text = strings[0] ?? '';
  let count = 0;
  inserts.forEach((insert, index) => {
    if (insert instanceof Fragment) {
      const offset = count;
      count += insert.values.length;
      text += insert.text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
    } else {
      count += 1;
      text += `$${count}`;
    }
    text += strings[index + 1] ?? '';
  });
  return text;
}

/** An empty fragment, for a filter that is not used. */
export const nothing: Sql = sql``;
