// Sequence diagrams: the part of Mermaid's language that our documents use, with columns as wide as their messages
// need.
import { escapeHtml } from '../page.ts';
import { linesOf } from './label.ts';
import { readSequence, type Statement } from './sequence-text.ts';

const CHARACTER = 6.6; // the mean width at 12 px
const LINE = 15;
const ROW_GAP = 12;
const SELF = 34;
const PAD = 12;

const widthOf = (lines: readonly string[]): number => Math.max(...lines.map((line) => line.length * CHARACTER));

/** Breaks a text at spaces into lines of at most `length` characters. */
function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of linesOf(text).join(' ').split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface Drawing {
  xs: readonly number[];
  wrapAt: number;
  y: number;
  parts: string[];
  count: number;
  /** Open blocks: where each began, and the columns that it spans. */
  open: {
    kind: string;
    label: string;
    top: number;
    dividers: { y: number; label: string }[];
    from: number;
    to: number;
  }[];
}

export function drawSequence(code: string): string {
  const { actors, statements, isNumbered } = readSequence(code);
  const wrapAt = actors.length > 5 ? 24 : actors.length > 4 ? 28 : 34;
  const names = actors.map(({ label }) => linesOf(label));
  const { xs, width } = columnsOf(names, statements, wrapAt);
  const headHeight = Math.max(...names.map((lines) => lines.length)) * LINE + PAD;
  const drawing: Drawing = { xs, wrapAt, y: headHeight + 22, parts: [], count: 0, open: [] };
  for (const statement of statements) draw(drawing, statement, isNumbered);
  const bottom = drawing.y + 6;
  const lives = xs.map((x) => line('life', x, headHeight + 2, x, bottom));
  const heads = names.map((lines, at) => {
    const half = (widthOf(lines) + 2 * PAD) / 2;
    const x = xs[at] ?? 0;
    return (
      rect('actor', x - half, 2, 2 * half, headHeight) +
      text('name', x, 2 + (headHeight - lines.length * LINE) / 2 + 11, lines)
    );
  });
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(bottom + 4)}"`;
  return `<svg ${size} viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(bottom + 4)}" xmlns="http://www.w3.org/2000/svg">${[...lives, ...heads, ...drawing.parts].join('')}</svg>`;
}

/** Places the columns so that no message is wider than the space between its ends. */
function columnsOf(
  names: readonly string[][],
  statements: readonly Statement[],
  wrapAt: number,
): { xs: number[]; width: number } {
  const halves = names.map((lines) => (widthOf(lines) + 2 * PAD) / 2 + 8);
  const gaps = names.slice(1).map((_, at) => (halves[at] ?? 0) + (halves[at + 1] ?? 0));
  let right = halves.at(-1) ?? 0;
  const need = (from: number, to: number, width: number): void => {
    const have = gaps.slice(from, to).reduce((sum, gap) => sum + gap, 0);
    const more = (width - have) / (to - from);
    if (more > 0) for (let at = from; at < to; at += 1) gaps[at] = (gaps[at] ?? 0) + more;
  };
  for (const one of statements) {
    if (one.kind !== 'message') continue;
    const width = widthOf(wrap(numbered(one.text, 10), wrapAt)) + 28;
    const [from, to] = [Math.min(one.from, one.to), Math.max(one.from, one.to)];
    if (from < to) need(from, to, width);
    else if (from === names.length - 1) right = Math.max(right, width + SELF);
    else need(from, from + 1, width + SELF);
  }
  const xs = [(halves[0] ?? 0) + 24];
  for (const gap of gaps) xs.push((xs.at(-1) ?? 0) + gap);
  return { xs, width: (xs.at(-1) ?? 0) + right + 24 };
}

const numbered = (words: string, number: number): string => `${number}. ${words}`;

function draw(on: Drawing, statement: Statement, isNumbered: boolean): void {
  if (statement.kind === 'message') drawMessage(on, statement, isNumbered);
  if (statement.kind === 'note') drawNote(on, statement);
  if (statement.kind === 'end') drawBlock(on);
  if (statement.kind === 'else') {
    on.open.at(-1)?.dividers.push({ y: on.y, label: statement.label });
    on.y += 26;
  }
  if (statement.kind !== 'block') return;
  on.open.push({
    kind: statement.block,
    label: statement.label,
    top: on.y,
    dividers: [],
    from: Number.POSITIVE_INFINITY,
    to: 0,
  });
  on.y += 30;
}

function span(on: Drawing, from: number, to: number): void {
  for (const block of on.open) {
    block.from = Math.min(block.from, from, to);
    block.to = Math.max(block.to, from, to);
  }
}

function drawMessage(on: Drawing, message: Extract<Statement, { kind: 'message' }>, isNumbered: boolean): void {
  span(on, message.from, message.to);
  on.count += 1;
  const lines = wrap(isNumbered ? numbered(message.text, on.count) : message.text, on.wrapAt);
  const [start = 0, end = 0] = [on.xs[message.from], on.xs[message.to]];
  const style = message.isDashed ? 'message dashed' : 'message';
  if (start === end) {
    const height = Math.max(lines.length * LINE, 16);
    const path = `M${start} ${on.y} h${SELF - 10} v${height} h-${SELF - 12}`;
    on.parts.push(
      `<path class="${style}" d="${path}"/>`,
      head(start + 2, on.y + height, -1),
      text('label left', start + SELF - 4, on.y + 11, lines),
    );
    on.y += height + ROW_GAP + 6;
    return;
  }
  const towards = end > start ? 1 : -1;
  on.parts.push(text('label', (start + end) / 2, on.y + 6, lines));
  on.y += lines.length * LINE;
  on.parts.push(line(style, start, on.y, end - 2 * towards, on.y), head(end - 1 * towards, on.y, towards));
  on.y += ROW_GAP + 8;
}

function drawNote(on: Drawing, note: Extract<Statement, { kind: 'note' }>): void {
  span(on, note.from, note.to);
  const [start = 0, end = 0] = [on.xs[note.from], on.xs[note.to]];
  const lines = wrap(note.text, Math.max(on.wrapAt + 6, Math.floor((end - start) / CHARACTER)));
  const width = Math.max(widthOf(lines) + 2 * PAD, end - start);
  const middle = Math.max((start + end) / 2, width / 2 + 4);
  const height = lines.length * LINE + 8;
  on.parts.push(rect('note', middle - width / 2, on.y - 6, width, height), text('label', middle, on.y + 9, lines));
  on.y += height + ROW_GAP;
}

function drawBlock(on: Drawing): void {
  const block = on.open.pop();
  if (!block) return;
  const depth = on.open.length;
  const inset = 22 - 6 * depth;
  const [first = 0, last = 0] = [on.xs[block.from], on.xs[block.to]];
  const [left, right] = [Math.max(first - 40 + depth * 6, 4), last + 40 + inset];
  // Insert the block before its content, so that it is drawn below it.
  on.parts.unshift(rect('block', left, block.top - 8, right - left, on.y - block.top + 6));
  on.parts.push(text('label left', left + 8, block.top + 7, [`${block.kind} [${block.label}]`]));
  for (const { y, label } of block.dividers)
    on.parts.push(line('divider', left, y - 6, right, y - 6), text('label left', left + 8, y + 9, [`[${label}]`]));
  on.y += 10;
}

const round = (value: number): string => String(Math.round(value * 10) / 10);
const rect = (style: string, x: number, y: number, width: number, height: number): string =>
  `<rect class="${style}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="4"/>`;
const line = (style: string, x1: number, y1: number, x2: number, y2: number): string =>
  `<line class="${style}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
const head = (x: number, y: number, towards: number): string =>
  `<polygon class="head" points="${round(x)},${round(y)} ${round(x - 8 * towards)},${round(y - 4)} ${round(x - 8 * towards)},${round(y + 4)}"/>`;
const text = (style: string, x: number, y: number, lines: readonly string[]): string =>
  `<text class="${style}" x="${round(x)}" y="${round(y)}">${lines
    .map((one, at) => `<tspan x="${round(x)}" dy="${at === 0 ? 0 : LINE}">${escapeHtml(one)}</tspan>`)
    .join('')}</text>`;
