/** Written by `npm run behaviour`: the identity of the code that makes worlds behave. Not edited by hand. */
import type { BehaviourRecord } from '../trajectory/types.ts';

export const BEHAVIOUR: BehaviourRecord = {
  engine: 'bc2705218f81d75e91960ad8dd41bc35cf2b9670717d1deb20882760ab80bc98',
  services: {
    airline: 'a3ead9a8c973acea494f4d8fb579005816426dcd638485da0b4471c0e709fdbc',
    helpdesk: '6a9a21103ae414a7986ca8b133d08fbddde63a3877b8761db8a5a816d616770a',
    notes: 'acfb9e212519f1eb21a1b210df2af0688cc53da03c58cb2dde4ada9392c6d413',
  },
};
