/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: '8d070e2365415ba07e4303c500b90f5627de749ce128d6baf0a90a62c081c382',
  services: {
    airline: '0a53ddf56ef89c88d7be1b22c1cca3d5964dde12c1165b29304895f00b99c1eb',
    helpdesk: '6a9a21103ae414a7986ca8b133d08fbddde63a3877b8761db8a5a816d616770a',
    notes: 'acfb9e212519f1eb21a1b210df2af0688cc53da03c58cb2dde4ada9392c6d413',
  },
};
