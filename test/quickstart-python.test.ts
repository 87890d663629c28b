// The first call of the quickstart in Python.
import { test } from 'vitest';
import { checkFirstCall } from './quickstart.ts';

test('the first call in Python lists servers, and fails with a wrong key', () =>
  checkFirstCall('python', 'first_call.py', ['python3']));
