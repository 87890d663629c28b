// A self-signed ECDSA certificate (RFC 5280).
import { generateKeyPairSync, sign } from 'node:crypto';
import { nowMs } from '../src/kit/flow/clock.ts';

const DAY_MS = 86_400_000;

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
const integer = (value: number) => der(0x02, Buffer.from([value]));

interface Subject {
  /** The parts of the name: an object identifier in hexadecimal, and its text. */
  name: readonly (readonly [type: string, text: string])[];
  /** The name for TLS. A certificate without one is no authority. */
  dnsName?: string;
}

const COMMON_NAME = '550403';

/** Returns a certificate that is valid from a day ago until a day from now, or for the two days before that. */
export const certificateFor = (dnsName: string, isExpired = false) => {
  const { certificate, privateKey } = createCertificate({ name: [[COMMON_NAME, dnsName]], dnsName }, isExpired);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

/** Returns the certificate of a make of authenticators, as WebAuthn requires it for the format `packed`. */
export const attestationCertificate = () =>
  createCertificate({
    name: [
      ['550406', 'DE'],
      ['55040a', 'Example'],
      ['55040b', 'Authenticator Attestation'],
      [COMMON_NAME, 'Authenticator'],
    ],
  });

function createCertificate({ name: parts, dnsName }: Subject, isExpired = false) {
  const endMs = nowMs() + (isExpired ? -DAY_MS : DAY_MS);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(...parts.map(([type, text]) => der(0x31, sequence(oid(type), der(0x0c, Buffer.from(text))))));
  const altNames = dnsName === undefined ? [] : [sequence(der(0x82, Buffer.from(dnsName)))];
  const isAuthority = sequence(...(dnsName === undefined ? [] : [der(0x01, Buffer.from([0xff]))]));
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaSha256,
    name,
    sequence(utcTime(endMs - 2 * DAY_MS), utcTime(endMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        ...altNames.map((names) => sequence(oid('551d11'), der(0x04, names))),
        sequence(oid('551d13'), der(0x04, isAuthority)),
      ),
    ),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ecdsaSha256, der(0x03, Buffer.from([0]), signature));
  return { certificate, privateKey };
}
