/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: '41795bc75fc3b596db3a89f2dd5b6804e9a4531cd1fe6ee67e1415f9844941cf',
  services: {
    airline: 'b032d534af10a50fd9136d7e13816ab11e0ce8617f0d0b03f741489f6752e7d7',
    github: '0a5eb487264dc06e9e6a270921a20e64a2864d9532fa0d8715ab43f25b3c124d',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
