// The architecture rules (docs/architecture.md) as tests. A failure lists the files that break the rule.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../src/config/settings.ts';
import { badCode, codeOf, filesOf, findCycle, readSources, root, type Source } from './sources.ts';

const all = readSources();
const isTest = ({ path }: Source): boolean =>
  /\.(test|fixture)\.tsx?$/.test(path) || /^((\w+\/)?test|bench|prove|scripts)\//.test(path);
const shipped = all.filter((source) => !isTest(source));
const server = shipped.filter(({ path }) => path.startsWith('server/src/'));

// The layers of server/src from the lowest to the highest. Two contexts of one layer do not import each other.
const LAYERS = [
  ['kit'],
  ['embedded'],
  ['access'],
  ['platform'],
  ['identity', 'resources'],
  ['webhooks'],
  ['tenancy', 'inspector'],
  ['sandbox', 'production'],
  ['governance'],
  ['config'],
  ['listeners'],
  ['boot'],
  ['commands'],
];
const CONTEXTS = LAYERS.slice(
  LAYERS.findIndex(([name]) => name === 'access'),
  LAYERS.findIndex(([name]) => name === 'config'),
).flat();
const folderOf = (path: string): string => path.split('/')[2] ?? '';
const layerOf = (path: string): number => LAYERS.findIndex((names) => names.includes(folderOf(path)));
const features = server.filter(({ path }) => CONTEXTS.includes(folderOf(path)) && path.split('/').length > 4);

/** Returns `webhooks/dispatch` for a file of this feature, undefined for a file outside the features. */
const featureOf = (path: string): string | undefined =>
  CONTEXTS.includes(folderOf(path)) ? /^server\/src\/(\w+\/[^/]+)\//.exec(path)?.[1] : undefined;
const isIn = (path: string, ...places: string[]): boolean =>
  places.some((place) => path.startsWith(`server/src/${place}`));

/** Returns `path -> target` for each import that the rule forbids. */
function badImports(sources: Source[], isBad: (source: Source, target: string, names: string) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports.flatMap(({ target, names }) =>
      isBad(source, target, names) ? [`${source.path} -> ${target}`] : [],
    ),
  );
}

describe('workspaces', () => {
  test('the Console and the CLI import only the SDK of the other workspaces, and the SDK imports none', () => {
    const mayImport: Record<string, string[]> = { console: ['@slipway/sdk'], cli: ['@slipway/sdk'], sdk: [] };
    const breaks = badImports(shipped, ({ path }, target) => {
      const workspace = path.split('/')[0] ?? '';
      const allowed = mayImport[workspace];
      const isRepositoryFile =
        target.startsWith('@slipway/') || /^(server|sdk|cli|console|bench|test|scripts|\.\.)(\/|$)/.test(target);
      const isInside = target.startsWith(`${workspace}/`);
      const isNamed = allowed?.some((name) => target === name || target.startsWith(`${name}/`));
      return allowed !== undefined && isRepositoryFile && !isInside && !isNamed;
    });
    expect(breaks).toEqual([]);
  });

  test('no workspace imports the server', () => {
    const others = shipped.filter(({ path }) => !path.startsWith('server/'));
    expect(badImports(others, (_, target) => /^(@slipway\/server|server)(\/|$)/.test(target))).toEqual([]);
  });
});

test('each set of files that a rule checks is not empty', () => {
  const sizes = LAYERS.flat().map((name) => [name, server.filter(({ path }) => folderOf(path) === name).length]);
  expect(sizes.filter(([, size]) => size === 0)).toEqual([]);
  expect(CONTEXTS).toHaveLength(10);
  expect(features.length).toBeGreaterThan(500);
});

test('every file of server/src is in a layer, except main.ts', () => {
  const isPlaced = (path: string): boolean => layerOf(path) !== -1 || path === 'server/src/main.ts';
  expect(server.map(({ path }) => path).filter((path) => !isPlaced(path))).toEqual([]);
});

test('every file of the kit is in one of its folders', () => {
  const kit = server.filter(({ path }) => isIn(path, 'kit/'));
  expect(kit.length).toBeGreaterThan(80);
  const folders = 'crypto db flow http openapi outbound telemetry text'.split(' ');
  const isPlaced = (path: string): boolean => folders.some((folder) => isIn(path, `kit/${folder}/`));
  expect(kit.map(({ path }) => path).filter((path) => !isPlaced(path))).toEqual([]);
});

test('a layer imports only lower layers, types included', () => {
  const breaks = badImports(server, ({ path }, target) => {
    if (!target.startsWith('server/src/') || path === 'server/src/main.ts') return false;
    return folderOf(target) !== folderOf(path) && layerOf(target) >= layerOf(path);
  });
  expect(breaks).toEqual([]);
});

test('the kit imports no file outside the kit', () => {
  const kit = server.filter(({ path }) => isIn(path, 'kit/'));
  expect(badImports(kit, (_, target) => target.startsWith('server/') && !isIn(target, 'kit/'))).toEqual([]);
});

describe('imports between features', () => {
  // One generator draws the synthetic data of every resource.
  const isShared = (path: string): boolean => path === 'server/src/resources/synthetic.ts';

  test('a feature imports only the kit, its own files and the index.ts of another feature', () => {
    const breaks = badImports(features, ({ path }, target) => {
      if (!target.startsWith('server/') || isIn(target, 'kit/')) return false;
      const other = featureOf(target);
      return other !== featureOf(path) && !(other && target === `server/src/${other}/index.ts`) && !isShared(target);
    });
    expect(breaks).toEqual([]);
  });

  test('a file outside the features imports only the index.ts of a feature', () => {
    const outside = server.filter(({ path }) => featureOf(path) === undefined);
    const breaks = badImports(outside, (_, target) => {
      const feature = featureOf(target);
      return feature !== undefined && target !== `server/src/${feature}/index.ts`;
    });
    expect(breaks).toEqual([]);
  });

  test('features have no import cycle, types included', () => {
    const graph = new Map<string, string[]>();
    for (const { path, imports } of features) {
      const from = featureOf(path) ?? '';
      const to = imports.flatMap(({ target }) => featureOf(target) ?? []).filter((other) => other !== from);
      graph.set(from, [...(graph.get(from) ?? []), ...to]);
    }
    expect(findCycle(graph)).toBeUndefined();
  });

  test('files have no import cycle, types included', () => {
    const graph = new Map(all.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
    expect(findCycle(graph)).toBeUndefined();
  });

  test('each feature has a public interface in its index.ts', () => {
    const names = [...new Set(features.map(({ path }) => featureOf(path)))];
    const isThere = (name: string | undefined) => features.some(({ path }) => path === `server/src/${name}/index.ts`);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });
});

describe('imports inside a feature', () => {
  const isOperation = (path: string): boolean =>
    features.some((source) => source.path === path && /^export const \w+ = operation\(/m.test(source.text));
  const isJob = (path: string): boolean => path.endsWith('.job.ts');
  const isStore = (path: string): boolean => /[/-]store\.ts$/.test(path);
  // tenancy/keys/key.ts: only a feature whose name is a plural has a domain model by this rule.
  const isDomainModel = (path: string): boolean => /\/(\w[\w-]*)s\/\1\.ts$/.test(path);
  const inside = (isBad: (path: string, target: string) => boolean): string[] =>
    badImports(features, ({ path }, target) => !path.endsWith('/index.ts') && isBad(path, target));

  test.each(Object.entries({ isOperation, isJob, isStore, isDomainModel }))('%s finds files', (_, isOne) => {
    expect(features.filter(({ path }) => isOne(path)).length).toBeGreaterThan(10);
  });
  test('an operation or a job imports no operation', () => {
    expect(inside((path, target) => (isOperation(path) || isJob(path)) && isOperation(target))).toEqual([]);
  });
  test('a store imports no operation and no job', () => {
    expect(inside((path, target) => isStore(path) && (isOperation(target) || isJob(target)))).toEqual([]);
  });
  test('a domain model imports no store, no operation and no job', () => {
    const isAbove = (path: string): boolean => isStore(path) || isOperation(path) || isJob(path);
    expect(inside((path, target) => isDomainModel(path) && isAbove(target))).toEqual([]);
  });
  test('an operation has its own file, which is named after its id', () => {
    const camel = (path: string): string =>
      (/([^/]+)\.ts$/.exec(path)?.[1] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const breaks = features.flatMap(({ path, text }) => {
      const ids = [...text.matchAll(/^export const \w+ = operation\(\{\s*id: '(\w+)'/gm)].map(([, id]) => id);
      return ids.length === 0 || (ids.length === 1 && ids[0] === camel(path)) ? [] : [`${path}: ${ids.join(', ')}`];
    });
    expect(breaks).toEqual([]);
  });
});

test('a reader follows a mutation from the request to the recorded attempt through at most 15 files', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const listed = [...page.matchAll(/^\d+\. `([\w/.-]+\.ts)`/gm)].map(([, path = '']) => path);
  const places = ['server/src/', 'server/src/webhooks/dispatch/'];
  const isThere = (path: string): boolean => server.some((source) => places.some((at) => source.path === at + path));
  expect(listed.filter((path) => !isThere(path))).toEqual([]);
  const named = [...page.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, path]) => path);
  expect(named.filter((path) => !all.some((source) => `/${source.path}`.endsWith(`/${path}`)))).toEqual([]);
  expect(listed).toContain('resources/tickets/create-ticket.ts');
  expect(listed).toContain('attempt/attempt-store.ts');
  expect(listed.length).toBeLessThanOrEqual(15);
});

describe('tools', () => {
  const isSql = (path: string): boolean =>
    /[/-]store\.ts$|\/kit\/db\/(db|db-batch|db-errors|db-transaction|migrate|primary|sql)\.ts$/.test(path) ||
    isIn(path, 'boot/provision.ts', 'embedded/');

  test('only stores and the code that opens databases contain SQL', () => {
    expect(badCode(server, /\bsql`|\.query\(\s*['"`]/g, isSql)).toEqual([]);
    // A type may be imported where a connection is only passed on.
    const isRuntime = (names: string): boolean => !/^\s*type\b|^\s*\{\s*type [^,]*\}\s*$/.test(names);
    expect(
      badImports(server, ({ path }, target, names) => target === 'pg' && isRuntime(names) && !isSql(path)),
    ).toEqual([]);
  });

  const LATEST = /order by (\w+\.)?(grant_id|scope, grant_id) desc|order by (\w+\.)?installation_id desc limit 1/g;
  test.each<[string, RegExp, string]>([
    ['finds current grants', LATEST, 'access/authority/current-grants-store.ts'],
    ['keeps facts of sockets', /new Weak\w+<Socket/g, 'kit/http/connection-state.ts'],
    ['writes audit entries', /\bappendAuditEntry\b/g, 'access/authority/unit-of-work.ts'],
  ])('only one file %s', (_rule, code, file) => {
    expect(badCode(server, code, (path) => isIn(path, file, 'access/audit/'))).toEqual([]);
    expect(badCode(server, code)).not.toEqual([]);
  });

  // This file writes requests as code that runs elsewhere.
  const isWriter = (path: string): boolean => isIn(path, 'inspector/snippets/snippet.ts');

  test('only config.ts, the loader of the contract and the entry of the CLI read environment variables', () => {
    const mayRead = (path: string): boolean =>
      /^(server\/src\/access\/contracts\/installed|server\/src\/config\/config|cli\/src\/(main|config))\.ts$/.test(
        path,
      );
    expect(badCode(shipped, /\bprocess\.env\b/g, (path) => mayRead(path) || isWriter(path))).toEqual([]);
  });

  test('the server reads the time only in kit/flow/clock.ts', () => {
    const isClock = (path: string): boolean => isIn(path, 'kit/flow/clock.ts');
    expect(badCode(server, /\bDate\.now\(|\bnew Date\(\)|\bDate\(\)/g, isClock)).toEqual([]);
    expect(badCode(server, /\bperformance\.now\(/g, (path) => isClock(path) || isIn(path, 'embedded/'))).toEqual([]);
  });

  test('the server draws random values only with randomBytes and randomInt of node:crypto', () => {
    const drawn = /\bMath\.random\b|\bcrypto\.random\w+|\bgetRandomValues\b|\bgenerateKey\w*\b/g;
    expect(badCode(server, drawn, (path) => isIn(path, 'embedded/'))).toEqual([]);
    const isOther = (target: string, names: string): boolean =>
      target === 'node:crypto' && /\brandom(?!Bytes\b|Int\b)[A-Z]\w*/.test(names);
    expect(badImports(server, (_, target, names) => isOther(target, names))).toEqual([]);
  });

  test('the server opens connections only in kit/outbound, smtp.ts, otel.ts and the link to a plane', () => {
    const isWay = (path: string): boolean => isIn(path, 'kit/outbound', 'governance/environments/link.ts');
    const isReceiver = (path: string): boolean => isIn(path, 'sandbox/demo/'); // it listens
    const isHttp = (target: string): boolean => /^(undici|(node:)?(https?|http2|tls|dgram))$/.test(target);
    expect(badImports(server, ({ path }, target) => isHttp(target) && !isWay(path) && !isReceiver(path))).toEqual([]);
    const isDial = (target: string, names: string): boolean =>
      target === 'node:net' && /\b(connect|createConnection)\b/.test(names);
    expect(badImports(server, ({ path }, target, names) => isDial(target, names) && !isWay(path))).toEqual([]);
    expect(badCode(server, /(?<![.\w])fetch\(/g, isWriter)).toEqual([]);
    expect(
      badImports(server, ({ path }, target) => target === 'nodemailer' && !isIn(path, 'kit/outbound/smtp.ts')),
    ).toEqual([]);
    const isTracing = (target: string): boolean => target.startsWith('@opentelemetry/');
    expect(badImports(server, ({ path }, target) => isTracing(target) && !isIn(path, 'kit/telemetry/otel.ts'))).toEqual(
      [],
    );
  });

  test('an identifier without a uuid never becomes an empty text', () => {
    expect(badCode(server, /\bfromId\([^;]*?\)\s*\?\?\s*''|\b\w+Id = ''(?=[,\s]*\})/g)).toEqual([]);
  });

  test('only tests replace the password hash of the identity library', () => {
    expect(badCode(server, /\bpasswordHash\b/g)).not.toEqual([]);
    expect(badCode(server, /\bpasswordHash\b/g, (path) => isIn(path, 'identity/sessions/identity-library.ts'))).toEqual(
      [],
    );
  });

  test('secrets and values derived from secrets are compared only by timingSafeEqual', () => {
    const word = String.raw`\w*(secret|verifier|signature|hmac|mac|digest|password|token|pepper)\b`;
    // A comparison with no value, with the name of a type, or of the length is allowed.
    const left = new RegExp(String.raw`(\b${word}|\.reveal\(\))\s*[!=]==?(?!=|\s*(undefined|null|''|'string'))`, 'gi');
    const right = new RegExp(String.raw`[!=]==?\s*([\w.?]+\.)?(${word}(?!\.length)|\w+\.reveal\(\))`, 'gi');
    const sources = [...server, ...shipped.filter(({ path }) => path.startsWith('sdk/src/'))];
    expect([...badCode(sources, left), ...badCode(sources, right)]).toEqual([]);
  });

  test('the server prints and logs only through kit/telemetry/log.ts', () => {
    const printing = /\bconsole\.(log|error|warn|info|debug)\b|\bprocess\.std(out|err)\.write\b/g;
    expect(badCode(server, printing, (path) => isIn(path, 'kit/telemetry/log.ts') || isWriter(path))).toEqual([]);
  });

  test('the code reads each setting of the table', () => {
    const text = server.flatMap((source) => (/[/-]settings\.ts$/.test(source.path) ? [] : [codeOf(source)])).join('\n');
    // The code reads a setting of an environment under its name without the environment.
    const isRead = (name: string): boolean =>
      text.includes(`'${name}'`) || text.includes(`'${name.replace(/^SLIPWAY_(SANDBOX|PRODUCTION)_/, '')}'`);
    expect(Object.keys(SETTINGS).filter((name) => !isRead(name))).toEqual([]);
  });
});

describe('source files', () => {
  const self = 'server/test/architecture-rules.test.ts'; // it contains the forbidden texts

  test('no source file has more than 400 lines', () => {
    expect(all.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  test('no source file uses the type any or suppresses a type error', () => {
    const pattern = /\bas any\b|[:<,|&]\s*any\b(?=\s*[;,)>=[\]|&{}]|\s*$)|\bany\[\]/gm;
    expect(badCode(all, pattern, (path) => path === self)).toEqual([]);
    const switches = all.filter(({ path, text }) => path !== self && /@ts-(ignore|nocheck|expect-error)/.test(text));
    expect(switches.map(({ path }) => path)).toEqual([]);
  });

  test('each export of the server, the CLI and the Console is used in another file', () => {
    const filesWith = new Map<string, number>();
    for (const { text } of all)
      for (const word of new Set(text.match(/[\w$]+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
    const declared = shipped.filter(({ path }) => /^(server|cli|console)\/src\//.test(path));
    const exported = declared.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm)].map(
        ([, name = '']) => ({ path, name }),
      ),
    );
    expect(exported.length).toBeGreaterThan(1000);
    expect(exported.filter(({ name }) => filesWith.get(name) === 1)).toEqual([]);
  });

  test('an exported type has a name of its own in its workspace', () => {
    const places = new Map<string, string[]>();
    for (const source of all) {
      const workspace = source.path.split('/')[0] ?? '';
      for (const [, name = ''] of codeOf(source).matchAll(
        /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)(?=[ <={])/gm,
      )) {
        const key = `${workspace} ${name}`;
        places.set(key, [...(places.get(key) ?? []), source.path]);
      }
    }
    expect(places.size).toBeGreaterThan(1000);
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });

  test('the name of a type is a noun and no bare participle', () => {
    // `Incoming` is an incoming request, and Installed the parts of an installed package.
    const nouns = 'Feed Incoming Installed Speed'.split(' ');
    const named = all.flatMap((source) =>
      [...codeOf(source).matchAll(/\b(?:type|interface|class) ([A-Z][a-z]+)(?=[ <={])/g)].map(([, name = '']) => name),
    );
    const participle =
      /ed$|^(Incoming|Listening|Running|Made|Found|Given|Held|Kept|Seen|Sent|Shown|Taken|Told|Written)$/;
    expect(named.filter((name) => participle.test(name) && !nouns.includes(name))).toEqual([]);
    expect(nouns.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('names contain the terms of the field in place of earlier ones', () => {
    const earlier = /\b(?:anew|lanes?|mend|permit|strangers?|tell|told|turns?|unproved)(?=\s*[:=(?,;})])/g;
    // `mend` is the name of the fix in /v1, as released, and in stored documents. Stores map the names of columns.
    const mayMend = /(\/stored-fix|\/listeners\/api|\/platform\/reference\/\w+|[/-]store)\.ts$/;
    expect(badCode(shipped, earlier, (path) => mayMend.test(path))).toEqual([]);
    expect(badCode(shipped, earlier)).not.toEqual([]);
  });

  test('no test is skipped, postponed or exclusive', () => {
    const pattern = /\b(test|it|describe)(\.\w+)*\.(only|skip|todo|fails)\b|\b[xf](it|describe)\(/g;
    expect(badCode(all, pattern, (path) => path === self)).toEqual([]);
  });

  test('no file contains the path of a local folder', () => {
    const top = root.split('/')[1] ?? '';
    const isUsual = ['tmp', 'home', 'usr', 'var', 'opt', 'app', 'srv', 'mnt', 'builds'].includes(top);
    const folders = [`${root}/`, `${homedir()}/`, '/Users/', '/home/', ...(isUsual ? [] : [`/${top}/`])];
    const breaks = filesOf().flatMap((path) => {
      if (path === self || /\.(png|jpg|ico|woff2?)$/.test(path)) return [];
      const text = readFileSync(join(root, path), 'utf8');
      // A path starts a word and continues with a name, because `/check/` alone may be a pattern.
      return folders.flatMap((folder) => {
        const parts = text.split(folder);
        const isNamed = parts.some(
          (after, at) => at > 0 && /^[\w.-]{2}/.test(after) && !/[\w.\-}/~]$/.test(parts[at - 1] ?? ''),
        );
        return isNamed ? [`${path}: ${folder}`] : [];
      });
    });
    expect(breaks).toEqual([]);
  });

  test('no lock file contains the address of a registry', () => {
    const locks = filesOf().filter((path) => path.endsWith('package-lock.json'));
    expect(locks).toContain('package-lock.json');
    const named = locks.flatMap(
      (path) => readFileSync(join(root, path), 'utf8').match(/"resolved": "http[^"]*"/g) ?? [],
    );
    expect(named).toEqual([]);
  });
});
