/** Simulated users: scripted ones, deterministic and replayable. */
export {
  openScriptedUser,
  type ScriptedUser,
  type ScriptedUserState,
  type StateView,
  type UserReply,
} from './scripted.ts';
export type { UserScript, UserTransition, UserTrigger } from './types.ts';
