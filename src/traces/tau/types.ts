import type { Json } from '../../base/json.ts';

/** One tool call of a recorded run. */
export interface TauCall {
  readonly name: string;
  /** The arguments as the model wrote them; not always JSON. */
  readonly argumentsText: string;
  /** What the recorded run answered; undefined where the run ends before an answer. */
  readonly output: string | null | undefined;
}

/** One action of a task's reference solution. */
export interface TauAction {
  readonly name: string;
  readonly kwargs: Json;
}

/** What happened next in a recorded run: the call of this number, or something said. */
export type TauTurn =
  | { readonly kind: 'call'; readonly call: number }
  | { readonly kind: 'say'; readonly role: 'user' | 'agent'; readonly text: string };

/** One recorded run of tau-bench, version 1. */
export interface TauRun {
  readonly file: string;
  readonly taskId: number;
  readonly trial: number;
  /** 0 or 1. */
  readonly reward: number;
  /** What the simulated user was told; empty where the file leaves it out. */
  readonly instruction: string;
  readonly actions: readonly TauAction[];
  /** Texts that the agent has to say. */
  readonly outputs: readonly string[];
  /** The hash after the reference actions, where the run carries one. */
  readonly goldHash: string | null;
  readonly calls: readonly TauCall[];
  /**
   * Calls and messages in order. What an agent writes beside a call is not in it: nobody is given it to
   * read.
   */
  readonly turns: readonly TauTurn[];
  /** What the agent said to the user. */
  readonly said: readonly string[];
  /** True when the user ended the conversation or a terminating tool was called. */
  readonly userStopped: boolean;
}

/** Hashes computed with the original program for a set of runs. */
export interface TauReplayFile {
  readonly file: string;
  readonly domain: string | null;
  readonly initialHash: string | null;
  readonly goldHashes: Readonly<Record<string, string>>;
  readonly runs: readonly { readonly taskId: number; readonly trial: number; readonly finalHash: string }[];
}
