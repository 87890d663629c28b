import { expect, test } from 'vitest';
import { LightAbortController } from './light-abort.ts';

test('a stopped signal calls its listeners once and in order, skips removed ones, and stays aborted', () => {
  const stopper = new LightAbortController();
  const reported: string[] = [];
  const leave = (): unknown => reported.push('left');
  stopper.addEventListener('abort', () => reported.push(`one ${stopper.aborted}`));
  stopper.addEventListener('abort', leave);
  stopper.addEventListener('abort', () => reported.push('two'));
  stopper.removeEventListener('abort', leave);
  expect([stopper.aborted, reported]).toEqual([false, []]);
  stopper.stop();
  stopper.stop();
  expect([stopper.aborted, reported]).toEqual([true, ['one true', 'two']]);
});
