// Opens the socket of one outbound attempt. The function resolves once, checks every address, connects only to those,
// and checks the peer's actual address. TLS begins only after that. Nothing is written to an address that is not
// allowed.
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import { type CompiledRules, isAllowedAddress, type Target } from './addresses.ts';
import type { AbortSignalLike } from './light-abort.ts';

export type OutboundFailureKind = 'timeout' | 'dns' | 'tls' | 'connect' | 'blocked_address' | 'protocol' | 'aborted';

export interface OutboundFailure {
  readonly failure: OutboundFailureKind;
  readonly detail: string;
}

/** Returns all addresses of a name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

interface SocketOptions {
  readonly rules: CompiledRules;
  readonly lookup: Lookup;
  readonly secureContext: SecureContext;
  /** Replaced by tests only, with a dialer that connects to another address than the requested one. */
  readonly dial?: typeof netConnect;
}

// Limits the attempts for a name with thousands of addresses.
const MAX_ADDRESSES = 8;

export const isFailure = (value: object): value is OutboundFailure => 'failure' in value;

export const createFailure = (failure: OutboundFailureKind, detail: string): OutboundFailure => ({ failure, detail });

/** Returns the code only: system messages contain addresses, which an untrusted user must not learn. */
export const errorCode = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
};

/**
 * Queries the name servers directly. The system's lookup runs on four threads of the process. Four hosts with hanging
 * name servers would stop the requests to all others. This resolver has no such limit.
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

/** For hosts that the rules list: `localhost` and names of /etc/hosts, which name servers do not know. */
export const listedLookup: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

const resolveChecked = async (target: Target, options: SocketOptions): Promise<readonly string[] | OutboundFailure> => {
  let addresses: readonly string[];
  try {
    addresses = isIP(target.hostname) === 0 ? await options.lookup(target.hostname) : [target.hostname];
  } catch (error) {
    return createFailure('dns', `The host name could not be resolved (${errorCode(error)}).`);
  }
  if (addresses.length === 0) return createFailure('dns', 'The host name has no address.');
  // A single bad address is enough for a refusal, because an attacker can influence by timing which address a
  // connection uses.
  const isAllowed = addresses.every((address) => isAllowedAddress(address, options.rules, target.isListed));
  return isAllowed
    ? addresses.slice(0, MAX_ADDRESSES)
    : createFailure('blocked_address', 'The host has a non-public address.');
};

// Returns the checked addresses and never resolves again, so a name that changes in between has no effect.
const pinned = (addresses: readonly string[]): LookupFunction => {
  const list = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => callback(null, list);
};

type DialCallback = (socket: Socket) => void;

const connectTcp = (target: Target, addresses: readonly string[], options: SocketOptions, dialled: DialCallback) =>
  new Promise<Socket | OutboundFailure>((resolve) => {
    const dial = options.dial ?? netConnect;
    const socket = dial({
      host: target.hostname,
      port: target.port,
      lookup: pinned(addresses),
      autoSelectFamily: true, // makes Node ask `pinned` for all addresses and try them in turn
      noDelay: true,
    });
    // This listener stays for the socket's life, so that an error between two owners does not become an uncaught
    // exception.
    socket.on('error', (error) => resolve(createFailure('connect', `The connection failed (${errorCode(error)}).`)));
    socket.once('close', () => resolve(createFailure('connect', 'The connection closed before it was ready.')));
    socket.once('connect', () => resolve(socket));
    dialled(socket);
  });

const handshake = (tcp: Socket, target: Target, secureContext: SecureContext) =>
  new Promise<Socket | OutboundFailure>((resolve) => {
    const socket = tlsConnect({
      socket: tcp,
      host: target.hostname, // the certificate's name if there is no servername
      ...(isIP(target.hostname) === 0 ? { servername: target.hostname } : {}), // RFC 6066: SNI contains no addresses
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here
      secureContext,
    });
    socket.on('error', (error) => resolve(createFailure('tls', `The TLS handshake failed (${errorCode(error)}).`)));
    socket.once('close', () => resolve(createFailure('tls', 'The connection closed during the TLS handshake.')));
    socket.once('secureConnect', () => resolve(socket));
  });

/**
 * Returns a socket that may be written to, or the failure. If `stop` fires before that, the opened socket is destroyed.
 */
export const openSocket = async (
  target: Target,
  options: SocketOptions,
  stop: AbortSignalLike,
): Promise<Socket | OutboundFailure> => {
  const addresses = await resolveChecked(target, options);
  if ('failure' in addresses) return addresses;
  if (stop.aborted) return createFailure('aborted', 'Stopped before connecting.');
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

const secured = async (tcp: Socket, target: Target, options: SocketOptions): Promise<Socket | OutboundFailure> => {
  // The final check is of the socket itself, because this is the address to which the bytes would go.
  const { remoteAddress } = tcp;
  if (remoteAddress === undefined) return createFailure('connect', 'The connection closed before it was ready.');
  if (!isAllowedAddress(remoteAddress, options.rules, target.isListed)) {
    tcp.destroy();
    return createFailure('blocked_address', 'The connection led to a non-public address.');
  }
  return target.isHttps ? handshake(tcp, target, options.secureContext) : tcp;
};
