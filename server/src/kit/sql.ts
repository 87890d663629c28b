// SQL as tagged templates: every interpolated value becomes a parameter, so a statement cannot be built by
// concatenation. A fragment inside a fragment is spliced with its own parameters.

export interface Sql {
  /** The statement with $1, $2 ... in place of its values. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** A name that is the same for the same text: the statement is parsed and planned once per connection. */
  readonly name: string;
}

const names = new Map<string, string>();
const fragments = new WeakSet<object>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && fragments.has(value);
}

export function sql(strings: TemplateStringsArray, ...inserts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  const text = render(strings, inserts, values);
  const statement: Sql = { text, values, name: nameOf(text) };
  fragments.add(statement);
  return statement;
}

function render(strings: readonly string[], inserts: readonly unknown[], values: unknown[]): string {
  let text = strings[0] ?? '';
  inserts.forEach((insert, index) => {
    if (isSql(insert)) {
      const offset = values.length;
      values.push(...insert.values);
      text += insert.text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
    } else {
      values.push(insert);
      text += `$${values.length}`;
    }
    text += strings[index + 1] ?? '';
  });
  return text;
}

/** Nothing: the fragment for a filter that was not asked for. */
export const nothing: Sql = sql``;
