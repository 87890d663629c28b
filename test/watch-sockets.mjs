// Loaded into a process before any other module (NODE_OPTIONS=--import). Records each socket, look-up of a name,
// datagram and child process, and blocks it unless WATCH_ALLOWED contains its target.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const allowed = new Set((process.env.WATCH_ALLOWED ?? '').split(','));
const file = process.env.WATCH_FILE ?? '';

function tell(what) {
  const isAllowed = allowed.has(what);
  appendFileSync(file, `${isAllowed ? 'allowed' : 'denied'} ${what}\n`);
  if (!isAllowed) throw new Error(`Nothing leaves this process: ${what}`);
}

/**
 * Returns the target from the forms of the arguments: options, a port and a host, a path, or the list that net makes of
 * them.
 */
function targetOf([first, second]) {
  if (Array.isArray(first)) return targetOf(first);
  if (typeof first === 'object' && first !== null) {
    // null if an HTTP agent connects
    return first.path == null ? `${first.host ?? 'localhost'}:${first.port}` : String(first.path);
  }
  return typeof first === 'number' ? `${typeof second === 'string' ? second : 'localhost'}:${first}` : String(first);
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  tell(targetOf(args));
  return connect.apply(this, args);
};

function deny(object, names, kind, isHarmless = () => false) {
  for (const name of names) {
    const original = object[name];
    if (typeof original !== 'function') continue;
    object[name] = function (...args) {
      if (!isHarmless(args)) tell(`${kind} ${name} ${typeof args[0] === 'string' ? args[0] : ''}`.trim());
      return original.apply(this, args);
    };
  }
}

// A look-up of an address sends no request.
const isAddress = ([host]) => net.isIP(host) !== 0;
const lookUps = Object.keys(dns).filter((name) => /^(lookup|lookupService|reverse|resolve\w*)$/.test(name));
deny(dns, lookUps, 'dns', isAddress);
deny(dns.promises, lookUps, 'dns', isAddress);
for (const resolver of [dns.Resolver.prototype, dns.promises.Resolver.prototype]) deny(resolver, lookUps, 'dns');
deny(dgram.Socket.prototype, ['send', 'connect', 'bind'], 'dgram');
deny(childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'], 'process');
syncBuiltinESMExports();
