// Reads the text of a sequence diagram: participants, messages, notes, and blocks (`loop`, `alt`, `opt`).

export type Statement =
  | { kind: 'message'; from: number; to: number; isDashed: boolean; text: string }
  | { kind: 'note'; from: number; to: number; text: string }
  | { kind: 'block'; block: string; label: string }
  | { kind: 'else'; label: string }
  | { kind: 'end' };

export interface Sequence {
  actors: { id: string; label: string }[];
  statements: Statement[];
  isNumbered: boolean;
}

/** Reads a diagram. Throws for a line outside of this part of the language. */
export function readSequence(code: string): Sequence {
  const actors: Sequence['actors'] = [];
  const statements: Statement[] = [];
  let isNumbered = false;
  const indexOf = (id: string): number => {
    const at = actors.findIndex((actor) => actor.id === id);
    if (at === -1) throw new Error(`A sequence diagram must declare the participant ${id}.`);
    return at;
  };
  const [, ...lines] = code.trim().split('\n');
  for (const line of lines.map((one) => one.trim()).filter((one) => one !== '')) {
    const [, id = '', label] = /^participant (\w+)(?: as (.+))?$/.exec(line) ?? [];
    if (line === 'autonumber') isNumbered = true;
    else if (id !== '') actors.push({ id, label: label ?? id });
    else statements.push(statementOf(line, indexOf));
  }
  return { actors, statements, isNumbered };
}

function statementOf(line: string, indexOf: (id: string) => number): Statement {
  const message = /^(\w+)(--?)(?:>>|\)|>)(\w+): (.+)$/.exec(line);
  if (message) {
    const [, from = '', dashes, to = '', text = ''] = message;
    return { kind: 'message', from: indexOf(from), to: indexOf(to), isDashed: dashes === '--', text };
  }
  const note = /^Note over (\w+)(?:,\s*(\w+))?: (.+)$/.exec(line);
  if (note) {
    const [, from = '', to, text = ''] = note;
    return { kind: 'note', from: indexOf(from), to: indexOf(to ?? from), text };
  }
  const [, block, label = ''] = /^(loop|alt|opt) (.+)$/.exec(line) ?? [];
  if (block !== undefined) return { kind: 'block', block, label };
  const other = /^else (.+)$/.exec(line);
  if (other) return { kind: 'else', label: other[1] ?? '' };
  if (line === 'end') return { kind: 'end' };
  throw new Error(`The site cannot draw this line of a sequence diagram: ${line}`);
}
