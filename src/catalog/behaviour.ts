/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: '9de7d6acc0797379dabb8d307fa98cdfaf0b7f39cb47bbde60f73b26cb9a6cc6',
  services: {
    airline: '25341a6fe505a454a85f7ebfab5242172bed4ce402710c8bf0adab9a1a8cca3b',
    github: '14b10b991d189565fc86d2bd05b9eca326200796d2af6a7419a17854541dc902',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
