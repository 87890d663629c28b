import { expect, test } from 'vitest';
import { LightAbortController } from './light-abort.ts';

test('a stopped signal calls its listeners once and in order, skips removed ones, and stays aborted', () => {
  const stopper = new LightAbortController();
  const calls: string[] = [];
  const leave = (): unknown => calls.push('left');
  stopper.addEventListener('abort', () => calls.push(`one ${stopper.aborted}`));
  stopper.addEventListener('abort', leave);
  stopper.addEventListener('abort', () => calls.push('two'));
  stopper.removeEventListener('abort', leave);
  expect([stopper.aborted, calls]).toEqual([false, []]);
  stopper.stop();
  stopper.stop();
  expect([stopper.aborted, calls]).toEqual([true, ['one true', 'two']]);
});
