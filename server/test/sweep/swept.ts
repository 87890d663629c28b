// The contract of the process in the view of the sweep. A test that sweeps an operator's contract sets SLIPWAY_CONTRACT
// before it imports this module.
import { isOperatorContract } from '../../src/access/contracts/index.ts';
import { COMMUNITY } from './community.ts';
import { SPACES } from './spaces.ts';
import type { SweptContract } from './swept-contract.ts';

export const swept: SweptContract = isOperatorContract ? SPACES : COMMUNITY;
