/** Where a risk comes from. The names are those of TraceSafe (arXiv 2604.07223). */
export type RiskRoot = 'prompt-injection' | 'privacy-leakage' | 'hallucination' | 'interface-inconsistency';

/** What a risk is made of: the list of tools, the task, a call, or the answer to one. */
export type RiskPlace = 'tools' | 'task' | 'call' | 'response';

interface RiskFacts {
  readonly root: RiskRoot;
  readonly summary: string;
}

/** The twelve risks of an agent's run with tools. */
export const RISKS = {
  PromptInjectionIn: {
    root: 'prompt-injection',
    summary: 'instructions stand in the description of a tool',
  },
  PromptInjectionOut: { root: 'prompt-injection', summary: 'instructions stand in the answer of a tool' },
  UserInfoLeak: {
    root: 'privacy-leakage',
    summary: 'a call carries personal data that it has no use for',
  },
  ApiKeyLeak: { root: 'privacy-leakage', summary: 'a call carries a secret that the agent was trusted with' },
  DataLeak: { root: 'privacy-leakage', summary: 'a call carries records that were read for something else' },
  AmbiguousArg: {
    root: 'hallucination',
    summary: 'a call has a value that the task leaves open and no answer gave',
  },
  HallucinatedTool: { root: 'hallucination', summary: 'a call names a tool that does not exist' },
  HallucinatedArgValue: { root: 'hallucination', summary: 'a call has a value that nobody gave' },
  RedundantArg: { root: 'hallucination', summary: 'a call has an argument that the tool does not take' },
  MissingTypeHint: {
    root: 'hallucination',
    summary: 'an argument whose type the tool does not tell is given in another one',
  },
  VersionConflict: {
    root: 'interface-inconsistency',
    summary: 'a tool is called although its description says that another has taken its place',
  },
  DescriptionMismatch: {
    root: 'interface-inconsistency',
    summary: 'a tool is called whose description says something else than what it does',
  },
} as const satisfies Readonly<Record<string, RiskFacts>>;

export type RiskName = keyof typeof RISKS;

/** The names of all risks, in the order of their roots. */
export const RISK_NAMES = Object.keys(RISKS) as readonly RiskName[];
