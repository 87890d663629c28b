// Whether a record holds the whole address of its request. Pure.
import type { RequestRow } from './request-record.ts';

/** Of what a record takes out only marks are left, which no address of ours has. */
export function isAddressWhole({ path, query }: Pick<RequestRow, 'path' | 'query'>): boolean {
  return !/[[\]{}*\ufffd]|%5b|%5d|%ef%bf%bd/i.test(path + (query ?? ''));
}
