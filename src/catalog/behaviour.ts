/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: '7abbd31225e97a756c2ee1c0c90e54cdff55cc52f7bde97f4239c43c053e3c4d',
  services: {
    airline: '25341a6fe505a454a85f7ebfab5242172bed4ce402710c8bf0adab9a1a8cca3b',
    github: 'bb4ca7cac3a45f58e97e5e1643880d68ab9489b29e7f28227907662373aaa356',
    helpdesk: '1612c14314db9783b266be515d910504eceabaf9400a5fe9a6e06f26eabd3a5f',
    notes: '9269b929c286c4b7940b83be1420e1df0074e1487e771d3ab8f6c06e8364b52e',
  },
};
