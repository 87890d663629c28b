// `npm run contract -- --lint`: checks both documents with Redocly's strictest recommended rules, Spectral's rules for
// OpenAPI and its OWASP rules. The linters are separate packages (contract/lint), which are installed on demand. An
// unsuppressed finding fails, and so does an unused suppression.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = resolve('contract/lint');
const DOCUMENTS = ['openapi.json', 'console.openapi.json'];

interface LintMessage {
  document: string;
  rule: string;
  /** A JSON Pointer. */
  at: string;
  message: string;
}

interface Suppression {
  document: string;
  rule: string;
  /** A pattern of the affected pointers. */
  at: string;
  reason: string;
}

interface SpectralResult {
  code: string | number;
  path: (string | number)[];
  message: string;
}
interface RedoclyResult {
  ruleId: string;
  location: { pointer?: string }[];
  message: string;
}
interface Linters {
  core: {
    default: {
      Spectral: new () => { setRuleset(ruleset: object): void; run(document: object): Promise<SpectralResult[]> };
      Ruleset: new (definition: object) => object;
    };
  };
  rulesets: { default: { oas: object } };
  owasp: { default: object & { default?: object } };
  redocly: {
    createConfig(options: object): Promise<object>;
    lintFromString(options: object): Promise<RedoclyResult[]>;
  };
}

const escapePointer = (part: string | number): string => String(part).replaceAll('~', '~0').replaceAll('/', '~1');

function install(): void {
  if (existsSync(`${FOLDER}/node_modules/.package-lock.json`)) return;
  // Their scripts are not run, because one of them reports its installation.
  const args = ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('The linters of the contract could not be installed.');
}

async function load(): Promise<Linters> {
  const require = createRequire(`${FOLDER}/package.json`);
  const from = (name: string): Promise<unknown> => import(pathToFileURL(require.resolve(name)).href);
  const [core, rulesets, owasp, redocly] = await Promise.all([
    from('@stoplight/spectral-core'),
    from('@stoplight/spectral-rulesets'),
    from('@stoplight/spectral-owasp-ruleset'),
    from('@redocly/openapi-core'),
  ]);
  return { core, rulesets, owasp, redocly } as Linters; // these packages are not dependencies of the project, so their types are missing
}

async function lint(document: string, linters: Linters): Promise<LintMessage[]> {
  const path = resolve('contract', document);
  const source = readFileSync(path, 'utf8');
  const { Spectral, Ruleset } = linters.core.default;
  const spectral = new Spectral();
  const owasp = linters.owasp.default.default ?? linters.owasp.default;
  spectral.setRuleset(new Ruleset({ extends: [linters.rulesets.default.oas, [owasp, 'all']] }));
  const config = await linters.redocly.createConfig({ extends: ['recommended-strict'] });
  const seen = await spectral.run(JSON.parse(source));
  const strict = await linters.redocly.lintFromString({ source, absoluteRef: path, config });
  return [
    ...seen.map(({ code, path: at, message }) => ({
      document,
      rule: String(code),
      at: `/${at.map(escapePointer).join('/')}`,
      message,
    })),
    ...strict.map(({ ruleId, location, message }) => ({
      document,
      rule: `redocly:${ruleId}`,
      at: (location[0]?.pointer ?? '').replace(/^#/, ''),
      message,
    })),
  ];
}

const isCovered = (finding: LintMessage, suppression: Suppression): boolean =>
  (suppression.document === '*' || suppression.document === finding.document) &&
  suppression.rule === finding.rule &&
  new RegExp(suppression.at).test(finding.at);

/** Returns false if there is anything to fix. */
export async function lintContract(): Promise<boolean> {
  install();
  const linters = await load();
  const suppressions: Suppression[] = JSON.parse(readFileSync(`${FOLDER}/suppressions.json`, 'utf8'));
  const findings = (await Promise.all(DOCUMENTS.map((document) => lint(document, linters)))).flat();
  const open = findings.filter((finding) => !suppressions.some((one) => isCovered(finding, one)));
  const idle = suppressions.filter((one) => !findings.some((finding) => isCovered(finding, one)));
  for (const { document, rule, at, message } of open) console.log(`${document} ${at}\n  ${rule}: ${message}`);
  for (const { document, rule, at } of idle) console.log(`suppressed without need: ${document} ${rule} at ${at}`);
  const suppressed = findings.length - open.length;
  console.log(`${open.length} findings; ${suppressed} suppressed for ${suppressions.length} reasons`);
  return open.length === 0 && idle.length === 0;
}
