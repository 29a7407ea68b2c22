/** The failure modes of MAST (arXiv 2503.13657), by number. */
export const MAST_MODES: Readonly<Record<string, string>> = {
  '1.1': 'disobeys the task',
  '1.2': 'disobeys its role',
  '1.3': 'repeats steps',
  '1.4': 'loses history',
  '1.5': 'does not know when to end',
  '2.1': 'starts the talk anew',
  '2.2': 'does not ask',
  '2.3': 'derails',
  '2.4': 'withholds information',
  '2.5': 'ignores what it was given',
  '2.6': 'does not do what it says',
  '3.1': 'ends too early',
  '3.2': 'does not verify',
  '3.3': 'verifies wrongly',
};
