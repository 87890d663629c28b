// The order of the written pages. A document that no section names fails the build, so no page is lost.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type SitePage, titleOf } from './page.ts';

/** A file below `docs`, its address if that differs from its path, and additional search words. */
interface PageSource {
  file: string;
  slug?: string;
  keywords?: string;
}

const page = (file: string, keywords?: string): PageSource => ({ file, ...(keywords && { keywords }) });

export const PAGE_SOURCES: Record<string, readonly PageSource[]> = {
  Start: [
    page('start/what-is-slipway.md', 'introduction overview what is'),
    page('start/quickstart.md', 'getting started tutorial first steps curl node python go'),
    page('start/comparison.md', 'alternatives svix hookdeck outpost convoy unkey kong zuplo prism microcks'),
  ],
  Concepts: [
    page('concepts/overview.md', 'entity diagram RBAC roles'),
    page('concepts/glossary.md', 'terms definitions'),
  ],
  Build: [
    page('build/authentication.md', 'bearer API key rotate key revoke access token'),
    page('build/errors.md', 'problem details RFC 9457 retry'),
    page('build/pagination.md', 'cursor next page list'),
    page('build/idempotency.md', 'idempotency key retry safe'),
    page('build/rate-limits.md', 'rate limit throttle 429 token bucket quota'),
    page('build/conditional-requests.md', 'etag cache 304'),
    page('build/versioning.md', 'deprecation sunset compatibility'),
    page('build/sandbox-data.md', 'world preset seed clock'),
    page('build/simulate-failures.md', 'fault injection Sandbox-Simulate'),
    page('build/app-file.md', 'declarative yaml apply diff terraform infrastructure as code'),
    page('build/ci.md', 'continuous integration tests github actions junit'),
    page('build/mcp.md', 'model context protocol AI assistant agent tools'),
    page('build/inspector.md', 'request log search replay'),
    page('build/notices.md', 'notifications alerts mail digest email preferences'),
    page('build/live-access.md', 'go live production approval'),
    page('build/sdks.md', 'client library TypeScript Python Go'),
    { file: '../sdk-python/README.md', slug: 'build/sdk-python', keywords: 'client library pip' },
    { file: '../sdk-go/README.md', slug: 'build/sdk-go', keywords: 'client library golang module' },
    page('build/generated-clients.md', 'openapi-generator oapi-codegen ogen orval prism postman java codegen'),
  ],
  Webhooks: [
    page('webhooks/delivery-guarantees.md', 'at-least-once order FIFO backoff jitter retry timeout disable'),
    page('webhooks/receiving.md', 'verify signature HMAC receiver Node Python Go'),
    page('webhooks/redelivery.md', 'replay resend missed'),
    page('webhooks/drill.md', 'conformance test duplicates'),
    page('webhooks/troubleshooting.md', 'not delivered failed skipped held'),
  ],
  Reference: [
    page('reference/api-changes.md', 'API changelog differences releases'),
    page('reference/settings.md', 'configuration environment variables'),
    page('reference/roles.md', 'RBAC permissions members'),
    page('reference/metrics.md', 'prometheus alerts'),
    page('reference/log-events.md', 'logging'),
    { file: '../sdk/README.md', slug: 'reference/sdk', keywords: 'client library TypeScript' },
    { file: '../cli/README.md', slug: 'reference/command-line-guide', keywords: 'cli terminal profiles' },
    { file: '../CHANGELOG.md', slug: 'reference/changelog', keywords: 'release notes' },
  ],
  Operate: [
    page('operate/install.md', 'docker compose helm kubernetes postgres deploy'),
    page('operate/production.md', 'upstream gateway'),
    page('operate/contracts.md', 'openapi import own api resources scopes'),
    page('operate/first-contract.md', 'tutorial guide openapi import own api events'),
    page('operate/sizing.md', 'capacity performance connections disk memory'),
    page('operate/high-availability.md', 'failover graceful shutdown drain'),
    page('operate/postgresql-failover.md', 'patroni etcd haproxy replication RPO RTO split brain standby switchover'),
    page('operate/backup-and-disaster-recovery.md', 'restore RPO RTO reopen'),
    page('operate/upgrades.md', 'upgrade update migration supported versions'),
    page('operate/monitoring.md', 'health metrics traces logs opentelemetry'),
    page('operate/runbook.md', 'alerts on-call incident'),
    page('operate/troubleshooting.md', 'error symptom fix'),
    page('operate/rotate-secrets.md', 'pepper master key rotation'),
    page('operate/people-and-mail.md', 'operator smtp oidc suspend audit'),
    page('operate/privacy-and-retention.md', 'gdpr erasure personal data'),
    page('operate/slos.md', 'service level objectives indicators'),
  ],
  Security: [
    page('security/threat-model.md', 'STRIDE risks assets'),
    page('security/security-model.md', 'SSRF secrets isolation'),
    page('security/revocation-receipts.md', 'proof of revocation JWS JOSE Ed25519 signature offline'),
    { file: '../SECURITY.md', slug: 'security/policy', keywords: 'report vulnerability' },
  ],
  Contribute: [
    { file: '../CONTRIBUTING.md', slug: 'contribute/contributing', keywords: 'commands schema contract release' },
    page('architecture.md', 'processes sequence diagrams'),
    page('contribute/sequences.md', 'sequence diagrams'),
    page('architecture/features.md', 'add an operation'),
    page('contribute/testing.md', 'debugging tests'),
    page('contribute/console-review.md', 'design accessibility pictures'),
    page('contribute/release.md', 'publish version artefacts provenance SBOM reproducible'),
  ],
};

const isRecord = (path: string): boolean => /^decisions\//.test(path);

function readPage(root: string, { file, slug, keywords }: PageSource): SitePage {
  const source = posix.join('docs', file);
  const markdown = readFileSync(join(root, source), 'utf8');
  return {
    slug: slug ?? file.replace(/\.md$/, ''),
    title: titleOf(markdown, source),
    markdown,
    source,
    ...(keywords && { keywords }),
  };
}

/** Reads the written pages of each section. Throws if a document below `docs` is in no section. */
export function readPages(root: string): Map<string, SitePage[]> {
  const named = new Set(
    Object.values(PAGE_SOURCES)
      .flat()
      .map(({ file }) => file),
  );
  const found = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.startsWith('dist/') && !isRecord(path));
  const lost = found.filter((path) => !named.has(path));
  if (lost.length > 0)
    throw new Error(`scripts/site/navigation.ts must name each document. It lacks ${lost.join(', ')}.`);
  return new Map(
    Object.entries(PAGE_SOURCES).map(([section, pages]) => [section, pages.map((written) => readPage(root, written))]),
  );
}

/** Reads the decision records and their notes, in the order of their numbers. */
export function readDecisions(root: string): SitePage[] {
  const folder = join(root, 'docs/decisions');
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.md'))
      // the index first
      .sort((one, other) => Number(other === 'README.md') - Number(one === 'README.md') || one.localeCompare(other))
      .map((path) => ({
        ...readPage(root, { file: `decisions/${path}` }),
        weight: path === 'README.md' ? 0.6 : 0.15,
      }))
  );
}
