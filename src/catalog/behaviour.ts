/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: 'b61191ed1a3701267bf259efef621ebc722e620ca7df82732316ea591c4f270c',
  services: {
    airline: 'b032d534af10a50fd9136d7e13816ab11e0ce8617f0d0b03f741489f6752e7d7',
    github: '80e36fb3f602ac49d739db50a3d2eb88a72051dbd4d71e77c780c82605b65ed4',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
