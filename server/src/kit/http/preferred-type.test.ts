import { expect, test } from 'vitest';
import { preferredType } from './preferred-type.ts';

const types = ['application/pdf', 'image/png', 'image/gif'];

test.each([
  [undefined, 'application/pdf'],
  ['', 'application/pdf'],
  ['*/*', 'application/pdf'],
  ['image/png', 'image/png'],
  ['IMAGE/GIF', 'image/gif'],
  ['image/*', 'image/png'],
  ['image/*;q=0.5, image/gif', 'image/gif'],
  ['image/png;q=0.2, application/pdf; q=0.8', 'application/pdf'],
  ['application/pdf;q=0, */*;q=0.1', 'image/png'],
  ['text/html', 'application/pdf'],
  ['image/png;q=high', 'application/pdf'],
  [['text/html', 'image/png'], 'image/png'],
])('Accept: %s prefers %s', (accept, type) => {
  expect(preferredType(types, accept)).toBe(type);
});

test.each([
  ['text/csv', 'text/csv; charset=utf-8'],
  ['TEXT/CSV;charset=utf-8', 'text/csv; charset=utf-8'],
  ['text/*', 'text/csv; charset=utf-8'],
  ['application/pdf', 'application/pdf'],
])('Accept: %s prefers the type %s, whose parameters are not compared', (accept, type) => {
  expect(preferredType(['application/pdf', 'text/csv; charset=utf-8'], accept)).toBe(type);
});

test('preferredType() returns undefined without types', () => {
  expect(preferredType([], 'image/png')).toBeUndefined();
});
