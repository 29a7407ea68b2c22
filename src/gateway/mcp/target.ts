import type { Pace } from '../host/episode-tools.ts';
import type { Credential, DoorName, HostedSession, SessionHost } from '../host/index.ts';

/** Whom a request of the protocol reaches: one session, as one actor. */
export interface McpTarget {
  readonly host: SessionHost;
  readonly session: HostedSession;
  readonly door: DoorName;
  /** What let the caller in; undefined where the connection itself is the session. */
  readonly credential?: Credential;
  /** True: tables can be read in a session with a task too. */
  readonly tables: boolean;
  readonly pacing?: Pace;
  /** What is said of the session itself, behind what the agent is told. */
  readonly notice?: string;
}

/** What the protocol's endpoints may be told. */
export interface McpOptions {
  /**
   * Offers read-only tables as resources in sessions on a scenario too. Without it they exist in free play
   * only: an agent under test must not read around its tools.
   */
  readonly tables?: boolean;
  /** How real and virtual time go together; left out, only calls take time. */
  readonly pacing?: Pace;
  /** Origins of web pages that may speak to this server, besides loopback ones: `https://app.example`. */
  readonly origins?: readonly string[];
}
