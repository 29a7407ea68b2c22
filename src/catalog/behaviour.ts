/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: '24a323a95ce2a3c4213b3f21a33554452d2772a1fd37be7319cd556cb11e3a1d',
  services: {
    airline: '6f68774d47ff73b167a7786fce0d51f4859385d0cb2a85283df3f1282bf9671a',
    helpdesk: '788ccdda05497d086e18e6d449d4443b1cc9cca6de4faa22a80702b91cf8cdcb',
    notes: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
};
