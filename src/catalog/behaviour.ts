/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: 'f6b6821a25b3329033dafc2aab68cda7af55839bc73a8d881e4fc8f98a3501c2',
  services: {
    airline: 'b032d534af10a50fd9136d7e13816ab11e0ce8617f0d0b03f741489f6752e7d7',
    github: '0e4f79e165e804a81514e6ce200d469d481dc9493b4cd518a0bfa0d9abc8275a',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
