/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: '4bae19e3bbe934a896ff89e118878dccf00071841e073c879cd1f8786c2304b8',
  services: {
    airline: '004d31609da35d3857f9364a8d841fea115a19bdc964f185469f2b1713763f92',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '83e92162db97bb852de63344a984b7c3b8c43e9c0b1b73daa21819b37c33a89f',
  },
};
