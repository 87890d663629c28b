// The examples of docs/webhooks/receiving.md, as code.
import { readFileSync } from 'node:fs';

export const guide = readFileSync(new URL('../../docs/webhooks/receiving.md', import.meta.url), 'utf8');

/** Returns the code of the example in this language. */
export function exampleIn(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no example in ${language}.`);
  return code;
}
