// `npm run images [-- FOLDER]`: writes the digest that the registry has today for each base image into the Dockerfile
// and deploy/compose. `npm run images -- --check` names images without a digest; a release requires all digests
// (scripts/contract.ts).
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BaseImage {
  file: string;
  /** Name and tag, without a digest. */
  name: string;
  /** The reference in the file. */
  reference: string;
}

// In the Dockerfile the argument that its stages start from; in Compose files the images of others.
const REFERENCE = /^(?:ARG \w+_IMAGE=| +image: (?!slipway$))(\S+)$/gm;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const COMPOSE = 'deploy/compose';

const nameOf = (reference: string): string => reference.split('@')[0] ?? '';

export function baseImages(folder: string): BaseImage[] {
  const compose = readdirSync(join(folder, COMPOSE)).filter((name) => name.endsWith('.yaml'));
  return ['Dockerfile', ...compose.map((name) => `${COMPOSE}/${name}`)].flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(REFERENCE)].map(([, reference = '']) => ({
      file,
      reference,
      name: nameOf(reference),
    })),
  );
}

export const hasDigest = ({ reference }: BaseImage): boolean => DIGEST.test(reference.split('@')[1] ?? '');

/** Prints each base image without a digest. Returns false if there are any. */
export function checkImages(folder: string): boolean {
  const open = baseImages(folder).filter((image) => !hasDigest(image));
  for (const { file, reference } of open) console.log(`${file}: ${reference} has no digest`);
  if (open.length > 0)
    console.log('Run `npm run images` where docker reaches the registry, and commit what it writes.');
  return open.length === 0;
}

/** Returns the digest of the image for all platforms, or throws with the output of docker. */
function digestOf(name: string): string {
  const { status, stdout, stderr, error } = spawnSync(
    'docker',
    ['buildx', 'imagetools', 'inspect', name, '--format', '{{json .Manifest}}'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`docker gives no digest of ${name}: ${error?.message ?? stderr.trim()}`);
  const { digest } = JSON.parse(stdout) as { digest?: string }; // docker's descriptor of the image
  if (!digest || !DIGEST.test(digest)) throw new Error(`docker gives no digest of ${name}: ${stdout.trim()}`);
  return digest;
}

function pinImages(folder: string): boolean {
  const images = baseImages(folder);
  // All digests before the first write, so that a failing registry leaves the files unchanged.
  const digests = new Map([...new Set(images.map(({ name }) => name))].map((name) => [name, digestOf(name)]));
  for (const file of new Set(images.map((image) => image.file))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8').replace(REFERENCE, (line, reference: string) => {
      const name = nameOf(reference);
      console.log(`${file}: ${name}@${digests.get(name)}`);
      return line.replace(reference, `${name}@${digests.get(name)}`);
    });
    writeFileSync(path, text);
  }
  return true;
}

function main(args: string[]): boolean {
  const folder = args.find((one) => !one.startsWith('--')) ?? '.';
  try {
    return args.includes('--check') ? checkImages(folder) : pinImages(folder);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} Nothing was written.`);
    return false;
  }
}

if (import.meta.filename === process.argv[1]) process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
