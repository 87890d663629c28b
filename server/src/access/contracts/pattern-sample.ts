// A text that matches a regular expression: of each alternative the first, and of each repetition the shortest.
// Reads the usual syntax. The caller checks the result, because look-around and back references are ignored.

/** Characters that a class is searched for, usual ones first. */
const CHARACTERS = [...'aA0-_ .:/@+#', ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))];

export function sampleOf(pattern: string): string | undefined {
  const reader = { pattern, at: 0 };
  try {
    const text = readAlternatives(reader);
    return reader.at === pattern.length ? text : undefined;
  } catch {
    return undefined;
  }
}

interface Reader {
  pattern: string;
  at: number;
}

function readAlternatives(reader: Reader): string {
  const first = readSequence(reader);
  while (reader.pattern[reader.at] === '|') {
    reader.at++;
    readSequence(reader);
  }
  return first;
}

function readSequence(reader: Reader): string {
  let text = '';
  for (
    let next = reader.pattern[reader.at];
    next !== undefined && next !== '|' && next !== ')';
    next = reader.pattern[reader.at]
  ) {
    text += repeated(reader, readAtom(reader));
  }
  return text;
}

function readAtom(reader: Reader): string {
  const next = take(reader);
  if (next === '(') return readGroup(reader);
  if (next === '[') return readClass(reader);
  if (next === '\\') return readEscape(reader);
  if (next === '^' || next === '$') return '';
  return next === '.' ? 'a' : next;
}

function take(reader: Reader, length = 1): string {
  const taken = reader.pattern.slice(reader.at, reader.at + length);
  reader.at += length;
  return taken;
}

function readGroup(reader: Reader): string {
  const [start = '', kind = ''] = /^\?(?:<[^=!>]+>|([:=!])|<([=!]))/.exec(reader.pattern.slice(reader.at)) ?? [];
  reader.at += start.length;
  const isAround = ['=', '!'].includes(kind) || start.startsWith('?<=') || start.startsWith('?<!');
  const text = readAlternatives(reader);
  reader.at++; // the closing parenthesis
  return isAround ? '' : text;
}

function readClass(reader: Reader): string {
  const from = reader.at - 1;
  while (reader.pattern[reader.at] !== ']') reader.at += reader.pattern[reader.at] === '\\' ? 2 : 1;
  reader.at++;
  return first(reader.pattern.slice(from, reader.at));
}

/** Returns the first character that a class matches, in the order of `CHARACTERS`. */
function first(source: string): string {
  const expression = new RegExp(`^${source}$`, 'u');
  const found = CHARACTERS.find((character) => expression.test(character));
  if (found === undefined) throw new Error('No usual character matches.');
  return found;
}

function readEscape(reader: Reader): string {
  const next = take(reader);
  if (next === 'b' || next === 'B') return '';
  if (/[pP]/.test(next))
    return first(`\\${next}${take(reader, reader.pattern.indexOf('}', reader.at) - reader.at + 1)}`);
  if (next === 'u' || next === 'x') return first(`\\${next}${take(reader, next === 'u' ? 4 : 2)}`);
  return /[dDwWsS]/.test(next) ? first(`\\${next}`) : next;
}

function repeated(reader: Reader, text: string): string {
  const [quantifier = '', least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(reader.pattern.slice(reader.at)) ?? [];
  reader.at += quantifier.length;
  if (quantifier === '' || quantifier.startsWith('+')) return text;
  return least === undefined ? '' : text.repeat(Number(least));
}
