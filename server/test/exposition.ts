// Parses the response of /metrics strictly by its format. An invalid line, a repeated sample and a histogram whose
// buckets do not add up are errors.

export interface ReadSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/;
const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/;

function readLabels(text = ''): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

export function readExposition(text: string): { types: Map<string, string>; samples: ReadSample[] } {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line break.');
  const types = new Map<string, string>();
  const samples: ReadSample[] = [];
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, about = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'TYPE' && types.has(about)) throw new Error(`${about} has two declarations.`);
    if (kind === 'TYPE') types.set(about, rest);
    if (kind) continue;
    const [whole, name = '', labels, value] = SAMPLE.exec(line) ?? [];
    if (!whole || Number.isNaN(Number(value))) throw new Error(`The line is not a sample: ${line}`);
    const series = line.slice(0, line.lastIndexOf(' '));
    if (seen.has(series)) throw new Error(`${series} occurs twice.`);
    seen.add(series);
    const metric = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (!types.has(metric)) throw new Error(`${name} has no type.`);
    samples.push({ name, labels: readLabels(labels), value: Number(value) });
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples);
  return { types, samples };
}

function checkHistogram(name: string, samples: readonly ReadSample[]): void {
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  for (const count of counts) {
    const isSame = ({ labels: { le, ...labels } }: ReadSample): boolean =>
      le !== undefined && JSON.stringify(labels) === JSON.stringify(count.labels);
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && isSame(sample));
    const values = buckets.map(({ value }) => value);
    const isRising = values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0));
    const isWhole = buckets.at(-1)?.labels.le === '+Inf' && values.at(-1) === count.value;
    if (!isRising || !isWhole) throw new Error(`The buckets of ${name} ${JSON.stringify(count.labels)} do not add up.`);
  }
}
