// Reads the settings of mail and of the identity provider. Returns a sentence if a setting is invalid.

import { type Secret, secret } from '../kit/crypto/secret.ts';
import type { OidcSettings } from '../kit/outbound/oidc.ts';
import { addressOf, readSmtpUrl, type SmtpSettings } from '../kit/outbound/smtp.ts';
import type { SettingName } from './settings.ts';

type Find = (name: SettingName) => string | undefined;

// Accepts only addresses that the identity library accepts, because a person could not sign in with another one.
export const isEmail = (value: string): boolean =>
  value.length <= 320 && /^[\w+'-]+(\.[\w+'-]+)*@([a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i.test(value);

export interface MailSettings {
  smtp: SmtpSettings;
  from: string;
}

export function readMail(find: Find): MailSettings | string | undefined {
  const url = find('SLIPWAY_SMTP_URL');
  const from = find('SLIPWAY_MAIL_FROM');
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined) return 'SLIPWAY_SMTP_URL is missing: SLIPWAY_MAIL_FROM is set, and mail needs both.';
  if (from === undefined) return 'SLIPWAY_MAIL_FROM is missing: SLIPWAY_SMTP_URL is set, and mail needs both.';
  const smtp = readSmtpUrl(url);
  if (typeof smtp === 'string') return `SLIPWAY_SMTP_URL ${smtp}`; // omits the text, which contains a password
  return isEmail(addressOf(from)) ? { smtp, from } : `SLIPWAY_MAIL_FROM: "${from}" contains no e-mail address.`;
}

const LOOPBACK = /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/;

export function readOidc(find: Find): OidcSettings | string | undefined {
  const issuer = find('SLIPWAY_OIDC_ISSUER');
  const clientId = find('SLIPWAY_OIDC_CLIENT_ID');
  const clientSecret: Secret | undefined = hidden(find('SLIPWAY_OIDC_CLIENT_SECRET'));
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return 'SLIPWAY_OIDC_ISSUER, SLIPWAY_OIDC_CLIENT_ID and SLIPWAY_OIDC_CLIENT_SECRET must be set together.';
  const isUrl = URL.canParse(issuer) && !/[?#]/.test(issuer);
  if (!isUrl || !(issuer.startsWith('https://') || LOOPBACK.test(issuer)))
    return 'SLIPWAY_OIDC_ISSUER must be an https address without a query.';
  return { issuer, clientId, clientSecret, name: (find('SLIPWAY_OIDC_NAME') ?? 'Single sign-on').slice(0, 100) };
}

const hidden = (value: string | undefined): Secret | undefined => (value === undefined ? undefined : secret(value));
