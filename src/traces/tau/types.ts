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

/** One recorded run of tau-bench, version 1. */
export interface TauRun {
  readonly file: string;
  readonly taskId: number;
  readonly trial: number;
  /** 0 or 1. */
  readonly reward: number;
  readonly actions: readonly TauAction[];
  /** Texts that the agent has to say. */
  readonly outputs: readonly string[];
  /** The hash after the reference actions, where the run carries one. */
  readonly goldHash: string | null;
  readonly calls: readonly TauCall[];
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
