// The files that every page loads: style sheet, scripts and picture, each with the hash of its content in its name.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from '../licences.mjs';

export interface Asset {
  /** Below the base: `assets/site-1a2b3c4d.js`. */
  path: string;
  content: string;
}

export function hashed(name: string, extension: string, content: string): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { path: `assets/${name}-${hash}.${extension}`, content };
}

export interface Script extends Asset {
  /** The licence texts of the packages in the script. */
  licences: string;
}

/** Bundles a script for browsers. `format` is `iife` for a script that runs before the first paint. */
export async function bundleScript(folder: string, name: string, format: 'esm' | 'iife'): Promise<Script> {
  const build = await rolldown({ input: join(folder, `${name}.ts`), platform: 'browser' });
  try {
    const { output } = await build.generate({ format, minify: true });
    return { ...hashed(name, 'js', output[0].code), licences: licencesOf(output[0].moduleIds) };
  } finally {
    await build.close();
  }
}

export const readStyle = (folder: string): Asset =>
  hashed('style', 'css', readFileSync(join(folder, 'style.css'), 'utf8'));
