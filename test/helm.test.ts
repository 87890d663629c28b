// The Helm chart as Helm renders it, where there is a helm: what Kubernetes would be told, held against what each role needs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../server/src/settings.ts';
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
    ingress: { ports: { port: number | string }[]; from?: unknown[] }[];
  };
}

function helm(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

let manifests: Manifest[];
const kind = (wanted: string): Manifest[] => manifests.filter((one) => one.kind === wanted);
const containerOf = ({ spec }: Manifest): Container => spec.template.spec.containers[0];

beforeAll(() => {
  const text = helm(
    'template',
    'harbour',
    CHART,
    '--kube-version',
    '1.31.0',
    '--set',
    'ingress.enabled=true,settings.SLIPWAY_MAIL_FROM=a@b.c',
  );
  manifests = parseAllDocuments(text).map((one) => one.toJS() as Manifest); // of the chart's own kinds
});

test('helm finds nothing wrong with it', () => {
  expect(helm('lint', '--strict', CHART)).toContain('0 chart(s) failed');
});

test('each role is deployed, with its budget and its network policy; migrations run before them', () => {
  const names = ['harbour-api', 'harbour-console', 'harbour-worker'];
  for (const wanted of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'])
    expect([wanted, kind(wanted).map(({ metadata }) => metadata.name)]).toEqual([wanted, names]);
  const [job] = kind('Job');
  expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  expect(job && containerOf(job).args).toEqual(['migrate']);
});

test('nothing runs as root, writes to the image or holds the cluster’s token', () => {
  for (const one of [...kind('Deployment'), ...kind('Job')]) {
    const { securityContext, automountServiceAccountToken } = one.spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: IMAGE_USER });
    expect(automountServiceAccountToken).toBe(false);
    const denied = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
    expect(containerOf(one).securityContext).toEqual(denied);
  }
});

test('each role is given the secrets that it needs and no others, and no setting that is none', () => {
  const secretsOf = (one: Manifest): string[] =>
    containerOf(one).env.flatMap(({ name, valueFrom }) => (valueFrom?.secretKeyRef.key === name ? [name] : []));
  const [api = [], console = [], worker = []] = kind('Deployment').map(secretsOf);
  const plane = ['DATABASE_URL', 'PEPPER', 'MASTER_KEY', 'MANAGEMENT_KEY'].map((name) => `SLIPWAY_SANDBOX_${name}`);
  expect([api, worker]).toEqual([plane, plane]);
  expect(console).toEqual(['SLIPWAY_CONSOLE_DATABASE_URL', 'SLIPWAY_CONSOLE_SECRET', 'SLIPWAY_SANDBOX_MANAGEMENT_KEY']);
  const names = [...kind('Deployment'), ...kind('Job')].flatMap((one) => containerOf(one).env.map(({ name }) => name));
  expect(names).toContain('SLIPWAY_MAIL_FROM');
  expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
});

test('services and probes lead to ports that are there; the private listener is the Console’s alone', () => {
  const ports = kind('Deployment').flatMap((one) => containerOf(one).ports ?? []);
  expect(
    kind('Service')
      .flatMap(({ spec }) => spec.ports.map(({ targetPort }) => targetPort))
      .sort(),
  ).toEqual(['api', 'console', 'management']);
  for (const { spec } of kind('Service')) expect(ports.map(({ name }) => name)).toContain(spec.ports[0]?.targetPort);
  for (const one of kind('Deployment'))
    expect(containerOf(one).readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'monitoring' });
  const [api] = kind('NetworkPolicy');
  const management = api?.spec.ingress.filter(({ ports: [at] }) => at?.port === 'management');
  expect(management?.map(({ from }) => from)).toEqual([
    [{ podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'console' }) } }],
  ]);
});
