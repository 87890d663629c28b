// The Dockerfile and the installation of deploy/compose, checked without a container engine. test/roles.test.ts checks
// that the image's files run as an unprivileged user on a read-only file system.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../server/src/config/settings.ts';
import { IMAGE_USER, type Image, instructionValue, makeImage } from './image.ts';
import { createInstance, root, type SlipwayInstance } from './slipway.ts';

interface Service {
  command?: string[];
  environment: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
}

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const servicesOf = (file: string): Record<string, Service> =>
  (parse(textOf(`deploy/compose/${file}`), { merge: true }) as { services: Record<string, Service> }).services; // only fields of this type are read
const services = servicesOf('compose.yaml');
/** With production: its own services, and its additions to the Console. */
const { console: added, ...production } = servicesOf('compose.production.yaml');
const consoleOfBoth = { ...services.console, environment: { ...services.console?.environment, ...added?.environment } };
const ours = Object.entries({ ...services, ...production, 'console with production': consoleOfBoth } as Record<
  string,
  Service
>).filter(([name]) => name !== 'postgres');

let image: Image;
let instance: SlipwayInstance;
beforeAll(async () => {
  image = makeImage();
  instance = await createInstance();
});
afterAll(async () => {
  await instance.remove();
  image.remove();
});

test('the image contains only built files, which its user does not own', () => {
  const [program, entry = ''] = JSON.parse(instructionValue('ENTRYPOINT')) as string[];
  expect([program, existsSync(join(image.folder, entry))]).toEqual(['node', true]);
  expect(instructionValue('USER')).toBe(`${IMAGE_USER}:${IMAGE_USER}`);
  const files = readdirSync(image.folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /node_modules|\.map$|\.tsx?$|\.env/.test(path))).toEqual([]);
  // The Console serves it from there.
  expect(files).toContain(join('docs', 'dist', 'index.html'));
  const names = [...instructionValue('ENV').matchAll(/(SLIPWAY_\w+)=/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
});

test('the image contains the licence texts of the packages in its bundles', () => {
  const read = (path: string): string => readFileSync(join(image.folder, path), 'utf8');
  expect(read('server/dist/third-party-licenses.txt')).toMatch(
    /^fastify \d+\.\d+\.\d+\n-+\n\nLicence: MIT\n\nMIT License/m,
  );
  expect(read('console/dist/third-party-licenses.md')).toMatch(/^## react-dom - /m);
  expect(read('docs/dist/third-party-licenses.txt')).toMatch(/^minisearch /m);
});

test('no prerendered page contains the time of the build', () => {
  const pages = readdirSync(join(image.folder, 'console/dist/pages')).filter((name) => name.endsWith('.html'));
  expect(pages.length).toBeGreaterThan(20);
  const text = (name: string): string => readFileSync(join(image.folder, 'console/dist/pages', name), 'utf8');
  expect(pages.filter((name) => /\b20\d\d-\d\d-\d\dT/.test(text(name)))).toEqual([]);
  expect(pages.filter((name) => text(name).includes('type="datetime-local"'))).not.toEqual([]);
});

test('a second layout into an existing folder is refused', () => {
  const again = spawnSync(process.execPath, [join(root, 'scripts/copy-distribution.mjs'), image.folder], {
    encoding: 'utf8',
  });
  expect([again.status, again.stderr]).toEqual([2, `${image.folder} is there already.\n`]);
});

test.each(
  ours,
)('the service %s has a read-only file system and no privileges, and listens on this machine only', (_, service) => {
  expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
});

/** Returns the environment of a service with the values that make-env.sh draws. */
function settingsOf({ environment }: Service): Record<string, string> {
  const draw = (script: string, ...args: string[]): string =>
    spawnSync('sh', [join(root, 'deploy/compose', script), ...args], { encoding: 'utf8' }).stdout;
  const drawn =
    draw('make-env.sh') + draw('make-production-env.sh', 'https://platform.example.org', 'https://api.example.org');
  const words = new Map(
    drawn
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s) as [string, string]),
  );
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      text.replaceAll(
        /\$\{(\w+):(?:\?[^}]*|-)\}/g,
        (whole, word: string) => words.get(word) ?? (whole.endsWith(':-}') ? '' : `no ${word}`),
      ),
    ]),
  );
}

test.each(ours)('the settings of the service %s are complete', async (_, service) => {
  const run = instance.spawn(
    process.execPath,
    ['server/dist/main.js', 'check', ...(service.command ?? [])],
    settingsOf(service),
  );
  await run.exited;
  expect(run.stdout()).toContain('The settings are complete.');
});

test('Postgres gets exactly the roles and databases of the operating guide', () => {
  const statements = (text: string): string[] =>
    [...text.matchAll(/^(create|grant|revoke) [^;]+;/gm)].map(([one]) => one.replace(/password .+;/, 'password;'));
  const executed = statements(textOf('deploy/compose/make-roles.sh'));
  expect(executed.length).toBeGreaterThan(9);
  expect(executed).toEqual(statements(textOf('docs/operate/install.md').split('```sql')[1] ?? ''));
  // Production has the same as the sandbox.
  const ofProduction = statements(textOf('deploy/compose/make-production-roles.sh'));
  const ofSandbox = executed.filter((one) => one.includes('slipway_sandbox'));
  expect(ofProduction).toEqual(ofSandbox.map((one) => one.replaceAll('slipway_sandbox', 'slipway_production')));
});

test('only production’s services get its secrets, and the Console gets its management key', () => {
  const OPENS = /_(DATABASE_URL|PEPPER|MASTER_KEY|MANAGEMENT_KEY|IDENTITY_KEY|INGEST_KEY)$/;
  const opening = (prefix: string, { environment }: Service): string[] =>
    Object.keys(environment).filter((name) => name.startsWith(prefix) && OPENS.test(name));
  for (const name of ['api', 'worker']) expect(opening('SLIPWAY_PRODUCTION_', services[name] as Service)).toEqual([]); // the service exists
  for (const name of ['production-api', 'production-worker'])
    expect(opening('SLIPWAY_SANDBOX_', production[name] as Service)).toEqual([]); // the service exists
  expect(opening('SLIPWAY_PRODUCTION_', added as Service)).toEqual(['SLIPWAY_PRODUCTION_MANAGEMENT_KEY']);
});
