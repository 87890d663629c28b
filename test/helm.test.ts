// The Helm chart as Helm renders it, if helm is installed: the manifests must match the needs of each role.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../server/src/config/settings.ts';
import { IMAGE_USER } from './image.ts';
import { root } from './slipway.ts';

const CHART = join(root, 'deploy/helm/slipway');

interface Container {
  args: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  readinessProbe?: { httpGet: { path: string; port: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    replicas: number;
    template: { spec: { securityContext: object; automountServiceAccountToken: boolean; containers: [Container] } };
    selector: Record<string, string>;
    ports: { targetPort: string }[];
    podSelector: { matchLabels: Record<string, string> };
    ingress: { ports: { port: number | string }[]; from?: unknown[] }[] | null;
  };
}

function helm(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

/** The manifests with production, and without. */
let manifests: Manifest[];
let alone: Manifest[];
const kind = (wanted: string, of = manifests): Manifest[] => of.filter((one) => one.kind === wanted);
const containerOf = ({ spec }: Manifest): Container => spec.template.spec.containers[0];

const SET = 'ingress.enabled=true,settings.SLIPWAY_MAIL_FROM=a@b.c';
const PRODUCTION = 'production.enabled=true,production.upstreamUrl=https://platform.example.org';
function render(set: string): Manifest[] {
  const text = helm('template', 'harbour', CHART, '--kube-version', '1.31.0', '--set', set);
  return parseAllDocuments(text).map((one) => one.toJS() as Manifest); // the chart's own kinds
}

beforeAll(() => {
  manifests = render(`${SET},${PRODUCTION}`);
  alone = render(SET);
});

test('helm lint reports no failure', () => {
  expect(helm('lint', '--strict', CHART)).toContain('0 chart(s) failed');
});

test('a digest replaces the tag of the image', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  const rendered = helm('template', 'harbour', CHART, '--kube-version', '1.31.0', '--set', `image.digest=${digest}`);
  const named = [...rendered.matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image);
  expect(new Set(named)).toEqual(new Set([`slipway@${digest}`]));
});

test('the chart refuses the old name of the shutdown delay and names the new one', () => {
  const delay = (set: string): string | undefined =>
    render(set)
      .filter((one) => one.kind === 'Deployment')
      .flatMap((one) => containerOf(one).env)
      .find(({ name }) => name === 'SLIPWAY_SHUTDOWN_DELAY_SECONDS')?.value;
  expect(delay('shutdownDelaySeconds=9')).toBe('9');
  expect(() => render('stopDelaySeconds=9')).toThrow(/stopDelaySeconds is now named shutdownDelaySeconds/);
});

test('each role has a deployment, a disruption budget and a network policy, and migrations run before them', () => {
  const names = ['harbour-api', 'harbour-console', 'harbour-worker'];
  const withProduction = [...names, 'harbour-production-api', 'harbour-production-worker'].sort();
  for (const wanted of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy']) {
    expect([wanted, kind(wanted, alone).map(({ metadata }) => metadata.name)]).toEqual([wanted, names]);
    expect([wanted, kind(wanted).map(({ metadata }) => metadata.name)]).toEqual([wanted, withProduction]);
  }
  expect(kind('Job').map(({ metadata }) => metadata.name)).toEqual(['harbour-migrate', 'harbour-production-migrate']);
  for (const job of kind('Job')) {
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(containerOf(job).args).toEqual(['migrate']);
  }
});

test('no manifest mentions production without it, and only production’s API gets the upstream address', () => {
  expect(JSON.stringify(alone)).not.toMatch(/production/i);
  expect(() => render(`${SET},production.enabled=true`)).toThrow(/production.upstreamUrl says where your API is/);
  const deployments = kind('Deployment').filter((one) => JSON.stringify(one).includes('platform.example.org'));
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['harbour-production-api']);
});

test('no pod runs as root, writes to the image or holds a token of the cluster', () => {
  for (const one of [...kind('Deployment'), ...kind('Job')]) {
    const { securityContext, automountServiceAccountToken } = one.spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: IMAGE_USER });
    expect(automountServiceAccountToken).toBe(false);
    const denied = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
    expect(containerOf(one).securityContext).toEqual(denied);
  }
});

test('each role gets exactly the secrets that it needs, and only existing settings', () => {
  const secretsOf = (one: Manifest): string[] =>
    containerOf(one).env.flatMap(({ name, valueFrom }) => (valueFrom?.secretKeyRef.key === name ? [name] : []));
  const given = Object.fromEntries(
    [...kind('Deployment'), ...kind('Job')].map((one) => [one.metadata.name, secretsOf(one)]),
  );
  const plane = (prefix: string) =>
    ['DATABASE_URL', 'PEPPER', 'MASTER_KEY', 'MANAGEMENT_KEY'].map((name) => `SLIPWAY_${prefix}_${name}`);
  const console = ['SLIPWAY_CONSOLE_DATABASE_URL', 'SLIPWAY_CONSOLE_SECRET', 'SLIPWAY_SANDBOX_MANAGEMENT_KEY'];
  const upstream = ['SLIPWAY_PRODUCTION_IDENTITY_KEY', 'SLIPWAY_PRODUCTION_INGEST_KEY'];
  expect(given).toEqual({
    'harbour-api': plane('SANDBOX'),
    'harbour-worker': plane('SANDBOX'),
    'harbour-console': [...console, 'SLIPWAY_PRODUCTION_MANAGEMENT_KEY'],
    'harbour-production-api': [...plane('PRODUCTION'), ...upstream],
    'harbour-production-worker': plane('PRODUCTION'),
    'harbour-migrate': ['SLIPWAY_SANDBOX_DATABASE_URL', 'SLIPWAY_CONSOLE_DATABASE_URL'],
    'harbour-production-migrate': ['SLIPWAY_PRODUCTION_DATABASE_URL'],
  });
  const ofProduction = (one: Manifest) =>
    containerOf(one).env.filter(({ valueFrom }) => valueFrom?.secretKeyRef.name === 'slipway-production');
  expect(
    kind('Deployment')
      .flatMap(ofProduction)
      .every(({ name }) => name.startsWith('SLIPWAY_PRODUCTION_')),
  ).toBe(true);
  const names = [...kind('Deployment'), ...kind('Job')].flatMap((one) => containerOf(one).env.map(({ name }) => name));
  expect(names).toContain('SLIPWAY_MAIL_FROM');
  expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
});

test('services and probes use existing ports, and only the Console reaches the private listener', () => {
  const ports = kind('Deployment').flatMap((one) => containerOf(one).ports ?? []);
  expect(
    kind('Service')
      .flatMap(({ spec }) => spec.ports.map(({ targetPort }) => targetPort))
      .sort(),
  ).toEqual(['api', 'api', 'console', 'management', 'management']);
  for (const { spec } of kind('Service')) expect(ports.map(({ name }) => name)).toContain(spec.ports[0]?.targetPort);
  for (const one of kind('Deployment'))
    expect(containerOf(one).readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'monitoring' });
  const ofConsole = {
    podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'console' }) },
  };
  const managementOf = (of: Manifest[]) =>
    kind('NetworkPolicy', of).flatMap(
      ({ spec }) => spec.ingress?.filter(({ ports: [at] }) => at?.port === 'management').map(({ from }) => from) ?? [],
    );
  expect(managementOf(manifests)).toEqual([[ofConsole], [ofConsole]]);
  // The upstream API reaches production's listener too, if its addresses are configured.
  const from = 'production.ingestFrom[0].ipBlock.cidr=10.1.0.0/16';
  const platform = { ipBlock: { cidr: '10.1.0.0/16' } };
  expect(managementOf(render(`${SET},${PRODUCTION},${from}`))).toEqual([[ofConsole], [ofConsole, platform]]);
});
