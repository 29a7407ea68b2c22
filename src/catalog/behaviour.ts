/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: 'd4c8c4eda82504613f65624d5f2569895762079f53c0c1f58f5db60bf39a7453',
  services: {
    airline: 'b032d534af10a50fd9136d7e13816ab11e0ce8617f0d0b03f741489f6752e7d7',
    github: 'a62026669850f5ba8cfe73e6d2d9c55b847cc5682e72e14d4d484edcdfec6a6b',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
