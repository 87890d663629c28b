// A contract for tests of limits: rooms, boxes in rooms and papers in boxes, with paths that leave out the box. The text
// of a paper selects the decision of its handlers.
const READ = 'archive:read';
const WRITE = 'archive:write';
const time = { type: 'string', format: 'date-time' };
const name = { type: 'string', maxLength: 60 };
const text = { type: 'string', maxLength: 200_000 };
const status = { type: 'string', enum: ['draft', 'filed'] };
const input = (properties, more = {}) => ({ required: true, schema: { type: 'object', properties, ...more } });
const operation = (effect, method, path, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes: [method === 'GET' ? READ : WRITE],
  status: effect === 'create' ? 201 : 200,
  content: { of: 'object' },
  ...more,
});
const list = (path, paging, more = {}) =>
  operation('list', 'GET', path, {
    content: { of: 'list', paging, ...(paging.by === 'cursor' && { in: 'data' }) },
    ...more,
  });
const DELAYS = { long: 1e300, infinite: Number.POSITIVE_INFINITY, none: Number.NaN, past: -5, word: 'soon' };

export default (kit) => {
  const shared = { file: import.meta.url, scope: READ, origin: 'made', tag: 'Archive' };
  const room = kit.resource({
    ...shared,
    name: 'Room',
    kind: 'room',
    plural: 'rooms',
    noun: 'room',
    description: 'A room.',
    path: 'rooms',
    idPrefix: 'rom',
    fields: { name },
    example: { id: 'rom_01j9z3v8k6e5t8m2n4p6q8r0s4', name: 'Cellar' },
    operations: {
      createRoom: operation('create', 'POST', '/rooms', { input: input({ name }) }),
      deleteRoom: operation('delete', 'DELETE', '/rooms/{roomId}', { status: 204, content: { of: 'nothing' } }),
    },
    events: { 'room.removed': { meaning: 'A room was removed.', deletes: true } },
  });
  const box = kit.resource({
    ...shared,
    name: 'Box',
    kind: 'box',
    plural: 'boxes',
    noun: 'box',
    description: 'A box.',
    parent: room,
    path: 'boxes',
    idPrefix: 'box',
    fields: { name },
    example: { id: 'box_01j9z3v8k6e5t8m2n4p6q8r0s4', roomId: 'rom_01j9z3v8k6e5t8m2n4p6q8r0s4', name: 'Letters' },
    operations: {
      createBox: operation('create', 'POST', '/rooms/{roomId}/boxes', { input: input({ name }) }),
      listBoxes: list('/rooms/{roomId}/boxes', { by: 'cursor', parameter: 'after', next: 'next' }),
    },
    events: {},
  });
  const paper = kit.resource({
    ...shared,
    name: 'Paper',
    kind: 'paper',
    plural: 'papers',
    noun: 'paper',
    description: 'A paper.',
    parent: box,
    path: 'papers',
    idPrefix: 'pap',
    fields: { text, owner: { ...name, readOnly: true }, status, createdAt: time },
    states: { draft: ['filed'], filed: [] },
    example: {
      id: 'pap_01j9z3v8k6e5t8m2n4p6q8r0s4',
      boxId: 'box_01j9z3v8k6e5t8m2n4p6q8r0s4',
      roomId: 'rom_01j9z3v8k6e5t8m2n4p6q8r0s4',
      text: 'Tea',
      owner: 'Ada',
      status: 'draft',
      createdAt: '2025-06-01T10:00:00Z',
    },
    hidden: { note: text },
    onCreate: ({ input: { text: given }, parent }) => {
      if (parent.name === 'Locked') return { problem: 'invalid_request', extra: { detail: 'The box is locked.' } };
      if (given === 'hidden') return { set: { note: 'x'.repeat(70_000) } };
      return { set: parent.name === 'Stamped' ? { owner: 'Stamp' } : {}, dueInMs: DELAYS[given] };
    },
    onDue: () => ({ set: { owner: 'Due' } }),
    operations: {
      createPaper: operation('create', 'POST', '/boxes/{boxId}/papers', { input: input({ text }) }),
      createFiledPaper: operation('create', 'POST', '/boxes/{boxId}/filed-papers', { input: input({ text, status }) }),
      createPaperInRoom: operation('create', 'POST', '/rooms/{roomId}/papers', { input: input({ text, boxId: {} }) }),
      updatePaper: operation('update', 'PATCH', '/papers/{paperId}', {
        input: input({ text, owner: { ...name, readOnly: true } }),
      }),
      getPaper: operation('get', 'GET', '/rooms/{roomId}/papers/{paperId}'),
      listRoomPapers: list('/rooms/{roomId}/papers', {
        by: 'cursor',
        parameter: 'after',
        limit: 'limit',
        next: 'next',
      }),
      listPapers: list('/papers', { by: 'none' }),
      listPaperPages: list('/paper-pages', { by: 'page', parameter: 'page', limit: 'size' }),
    },
    events: { 'paper.added': { meaning: 'A paper was added.', creates: true } },
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'archive',
    scopes: { [READ]: 'Read', [WRITE]: 'Write', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [room, box, paper],
    presets: {
      empty: { meaning: 'nothing', counts: { rooms: 0, boxes: 0, papers: 0 }, script: 'plain', tickMs: 600_000 },
    },
  });
};
