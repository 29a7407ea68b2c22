/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: 'd984b388de2160ec5cd74017a0e4accb3dbe66c10bbfd435995516c84c833d90',
  services: {
    airline: 'b032d534af10a50fd9136d7e13816ab11e0ce8617f0d0b03f741489f6752e7d7',
    github: 'b7f7e42814717fb5f6682b8ac72499bc6b103a06ef05a3a11f0b87dc3d7cca6b',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
