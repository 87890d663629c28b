// Detects a reverse proxy that SLIPWAY_TRUSTED_PROXIES does not name. Behind one all callers have the proxy's address,
// so limits by address count them together and records show the proxy.

import type { Environment } from '../access/authority/index.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../kit/telemetry/log.ts';

export const PROXY_FIX = 'Set SLIPWAY_TRUSTED_PROXIES to the addresses of the proxy, as CIDR ranges.';

type ServedRole = readonly [role: 'all' | 'api' | 'worker' | 'console', environment: Environment, config: Config];

/**
 * Returns a public https address if no proxy is declared. Only a proxy can serve the address, because no listener has
 * TLS.
 */
export function findUndeclaredProxy(...[role, environment, config]: ServedRole): string | undefined {
  const { consoleUrl, planes, trustedProxies } = config;
  if (role === 'worker' || trustedProxies.length > 0) return undefined;
  const addresses = { api: planes[environment].apiUrl, console: consoleUrl };
  const served = role === 'all' ? Object.values(addresses) : [addresses[role]];
  return served.find((url) => url.startsWith('https:'));
}

export const explainUndeclaredProxy = (url: string): string =>
  `${url} needs a proxy for TLS, but SLIPWAY_TRUSTED_PROXIES is not set: all callers count as one address.`;

/**
 * Logs one line in the life of a process. The line comes at the start if the settings show the proxy, otherwise at the
 * first forwarded request.
 */
export function undeclaredProxyWarning(log: Log, ...served: ServedRole): (peer: string) => void {
  const url = findUndeclaredProxy(...served);
  if (url) log.info(`proxy.undeclared: ${explainUndeclaredProxy(url)} ${PROXY_FIX}`);
  let isLogged = url !== undefined;
  return (peer) => {
    if (isLogged) return;
    isLogged = true;
    const words =
      'A request carries X-Forwarded-For, but SLIPWAY_TRUSTED_PROXIES is not set. If the peer is your proxy, all callers count as one address.';
    log.info(`proxy.undeclared: ${words} ${PROXY_FIX}`, { peer });
  };
}
