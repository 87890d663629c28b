// Opens the one socket of one outbound attempt: resolve once, check every address, connect only to those, check where
// the socket really is, and only then speak TLS. Nothing is written to an address that was not allowed.
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import { type CompiledRules, isAllowedAddress, type Target } from './addresses.ts';
import type { StopSignal } from './stop-signal.ts';

export type FailureKind = 'timeout' | 'dns' | 'tls' | 'connect' | 'blocked_address' | 'protocol' | 'aborted';

export interface Failure {
  readonly failure: FailureKind;
  readonly detail: string;
}

/** All addresses of a name; it rejects when there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface SocketOptions {
  readonly rules: CompiledRules;
  readonly lookup: Lookup;
  readonly secureContext: SecureContext;
  /** Handed in by tests only: a dialer that ends up elsewhere than it was told to. */
  readonly dial?: typeof netConnect;
}

// A name with thousands of addresses costs no more than this many attempts.
const MAX_ADDRESSES = 8;

export const isFailure = (value: object): value is Failure => 'failure' in value;

export const failed = (failure: FailureKind, detail: string): Failure => ({ failure, detail });

/** The code alone: messages of the system name addresses, which a tenant must not learn from. */
export const errorCode = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
};

/**
 * Asks the name servers directly. The system's lookup runs on four threads shared by the process, so that four tenants
 * whose name servers hang would stop every other tenant's deliveries; this one has no such bound.
 */
export const createLookup = (): Lookup => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
    return addresses;
  };
};

/** For hosts that the operator listed: `localhost` and names of /etc/hosts, which name servers do not know. */
export const listedLookup: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

const resolveChecked = async (target: Target, options: SocketOptions): Promise<readonly string[] | Failure> => {
  let addresses: readonly string[];
  try {
    addresses = isIP(target.hostname) === 0 ? await options.lookup(target.hostname) : [target.hostname];
  } catch (error) {
    return failed('dns', `The host name could not be resolved (${errorCode(error)}).`);
  }
  if (addresses.length === 0) return failed('dns', 'The host name has no address.');
  // One bad address among good ones is refused too: which one a connection takes is up to the attacker's timing.
  const isAllowed = addresses.every((address) => isAllowedAddress(address, options.rules, target.isListed));
  return isAllowed
    ? addresses.slice(0, MAX_ADDRESSES)
    : failed('blocked_address', 'The host has a non-public address.');
};

// Answers from what was checked and never asks again: a name that changes its mind in between gains nothing.
const pinned = (addresses: readonly string[]): LookupFunction => {
  const list = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => callback(null, list);
};

type Dialled = (socket: Socket) => void;

const connectTcp = (target: Target, addresses: readonly string[], options: SocketOptions, dialled: Dialled) =>
  new Promise<Socket | Failure>((resolve) => {
    const dial = options.dial ?? netConnect;
    const socket = dial({
      host: target.hostname,
      port: target.port,
      lookup: pinned(addresses),
      autoSelectFamily: true, // makes Node ask `pinned` for all addresses and try them in turn
      noDelay: true,
    });
    // This listener stays for the socket's life: an error between two owners must not become an uncaught exception.
    socket.on('error', (error) => resolve(failed('connect', `The connection failed (${errorCode(error)}).`)));
    socket.once('close', () => resolve(failed('connect', 'The connection closed before it was ready.')));
    socket.once('connect', () => resolve(socket));
    dialled(socket);
  });

const handshake = (tcp: Socket, target: Target, secureContext: SecureContext) =>
  new Promise<Socket | Failure>((resolve) => {
    const socket = tlsConnect({
      socket: tcp,
      host: target.hostname, // what the certificate is checked against when there is no servername
      ...(isIP(target.hostname) === 0 ? { servername: target.hostname } : {}), // RFC 6066: SNI holds no addresses
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here
      secureContext,
    });
    socket.on('error', (error) => resolve(failed('tls', `The TLS handshake failed (${errorCode(error)}).`)));
    socket.once('close', () => resolve(failed('tls', 'The connection closed during the TLS handshake.')));
    socket.once('secureConnect', () => resolve(socket));
  });

/** A socket that may be written to, or why there is none. When `stop` fires before that, whatever was opened is destroyed. */
export const openSocket = async (
  target: Target,
  options: SocketOptions,
  stop: StopSignal,
): Promise<Socket | Failure> => {
  const addresses = await resolveChecked(target, options);
  if ('failure' in addresses) return addresses;
  if (stop.aborted) return failed('aborted', 'Stopped before connecting.');
  let dialled: Socket | undefined;
  // TLS on top of this socket ends with it.
  const abandon = () => dialled?.destroy();
  stop.addEventListener('abort', abandon, { once: true });
  try {
    const tcp = await connectTcp(target, addresses, options, (socket) => {
      dialled = socket;
    });
    return isFailure(tcp) ? tcp : await secured(tcp, target, options);
  } finally {
    stop.removeEventListener('abort', abandon);
  }
};

const secured = async (tcp: Socket, target: Target, options: SocketOptions): Promise<Socket | Failure> => {
  // The last word has the socket: whatever the checks before it missed, this is where the bytes would go.
  const { remoteAddress } = tcp;
  if (remoteAddress === undefined) return failed('connect', 'The connection closed before it was ready.');
  if (!isAllowedAddress(remoteAddress, options.rules, target.isListed)) {
    tcp.destroy();
    return failed('blocked_address', 'The connection led to a non-public address.');
  }
  return target.isHttps ? handshake(tcp, target, options.secureContext) : tcp;
};
