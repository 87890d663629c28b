// Extracts the prose from languages that the repository has no parser for: comments, docstrings and sentences among the
// strings.
import { parseAllDocuments, visit } from 'yaml';
import { isSentence, type Prose } from './extract.ts';

interface Language {
  /** Comments and docstrings. The first group that matched is the text. */
  comments: RegExp;
  strings?: RegExp;
}

// A `#` in a word, as in `${#names[@]}` or `index.md#part`, begins no comment.
const HASH = /(?<=^|\s)#(?!!)[ \t]+(.*)/gmu;
const DOUBLE_QUOTED = /"((?:[^"\\\n]|\\.)*)"/gu;

const HASHED: Language = { comments: HASH, strings: /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/gu };
// Helm templates also have comments of Go templates.
const HELM: Language = { comments: /(?<=^|\s)#(?!!)[ \t]+(.*)|\{\{-?\s*\/\*([\s\S]*?)\*\//gmu };
const PYTHON: Language = {
  comments: /(?<=^|\s)#(?!!)[ \t]+(.*)|"""([\s\S]*?)"""/gmu,
  strings: /(?<!")"(?!")((?:[^"\\\n]|\\.)*)"/gu,
};
const GO: Language = { comments: /(?<=^|\s)\/\/[ \t]+(.*)/gmu, strings: DOUBLE_QUOTED };
const CSS: Language = { comments: /\/\*([\s\S]*?)\*\//gu };

/** The languages by the end of a path. Some scripts have no ending. */
const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/\/templates\/[\w.-]+\.(?:ya?ml|tpl)$/u, HELM],
  [/\.ya?ml$/u, { comments: HASH }],
  [/\.css$/u, CSS],
  [/\.py$/u, PYTHON],
  [/\.go$/u, GO],
  [/\.(?:sh|toml)$|(?:^|\/)Dockerfile$|^\.ci\/run$/u, HASHED],
];

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;
const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`/gu, ' ');

function* matches(source: string, pattern: RegExp): Generator<{ text: string; start: number; end: number }> {
  for (const found of source.matchAll(pattern)) {
    const text = found.slice(1).find((group) => group !== undefined) ?? '';
    yield { text, start: found.index, end: found.index + found[0].length };
  }
}

/** Comments of consecutive lines are one text. */
function joinLines(source: string, pattern: RegExp): Prose[] {
  const found: (Prose & { end: number; isLine: boolean })[] = [];
  for (const { text, start, end } of matches(source, pattern)) {
    const last = found.at(-1);
    const isLine = /^(?:#|\/\/)/u.test(source.slice(start, end));
    if (isLine && last?.isLine && /^\n[ \t]*$/u.test(source.slice(last.end, start))) {
      last.text += ` ${withoutCode(text)}`;
      last.end = end;
    } else found.push({ kind: 'comments', text: withoutCode(text), line: lineAt(source, start), end, isLine });
  }
  return found.map(({ kind, text, line }) => ({ kind, text: text.trim(), line }));
}

/** Returns the sentences among the values of YAML, such as the descriptions of alerts. */
function sentencesOfYaml(source: string): Prose[] {
  const found: Prose[] = [];
  for (const document of parseAllDocuments(source)) {
    visit(document, {
      Scalar(_key, { value, range }) {
        if (typeof value !== 'string' || !isSentence(value)) return;
        found.push({ kind: 'texts', text: withoutCode(value), line: lineAt(source, range?.[0] ?? 0) });
      },
    });
  }
  return found;
}

/**
 * Returns the prose of YAML, Helm templates, shell scripts, Dockerfiles, TOML, CSS, Python and Go. Empty for any other
 * file.
 */
export function proseOfOther(file: string, source: string): Prose[] {
  const language = LANGUAGES.find(([ending]) => ending.test(file))?.[1];
  if (!language) return [];
  const strings = language.strings ? [...matches(source, language.strings)] : [];
  const sentences = strings
    .filter(({ text }) => isSentence(text))
    .map(({ text, start }): Prose => ({ kind: 'texts', text: withoutCode(text), line: lineAt(source, start) }));
  const isYaml = language !== HELM && /\.ya?ml$/u.test(file);
  return [...joinLines(source, language.comments), ...sentences, ...(isYaml ? sentencesOfYaml(source) : [])];
}
