import { expect, test } from 'vitest';
import { LightAbortController } from './light-abort.ts';

test('a stopped signal calls its listeners once and in order, skips removed ones, and stays aborted', () => {
  const stopper = new LightAbortController();
  const told: string[] = [];
  const leave = (): unknown => told.push('left');
  stopper.addEventListener('abort', () => told.push(`one ${stopper.aborted}`));
  stopper.addEventListener('abort', leave);
  stopper.addEventListener('abort', () => told.push('two'));
  stopper.removeEventListener('abort', leave);
  expect([stopper.aborted, told]).toEqual([false, []]);
  stopper.stop();
  stopper.stop();
  expect([stopper.aborted, told]).toEqual([true, ['one true', 'two']]);
});
