// The sweep of the default contract.
import { sweepEveryOperation } from './sweep/sweep.fixture.ts';

sweepEveryOperation({ oneIn: 3, minimum: 5_000 });
