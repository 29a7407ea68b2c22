import type { HostedSession } from '../../gateway/host/index.ts';
import type { Door } from '../../gateway/http/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';

/** Requests that reached the listener and made no step. */
export interface TurnedAway {
  /** Without a token, or with none that opens anything. */
  readonly unauthenticated: number;
  /** Once the episode was over, the one that its budget did not allow among them. */
  readonly afterEnd: number;
}

const UNAUTHENTICATED = 401;
const OVER = 503;

/** Watches the answers of an episode's own listener, as a door that takes no request. */
export class Watch {
  readonly door: Door;
  #unauthenticated = 0;
  #afterEnd = 0;

  constructor({ episode }: HostedSession) {
    this.door = {
      name: 'watch',
      handle: ({ response }) => {
        response.once('finish', () => {
          if (response.statusCode === UNAUTHENTICATED) this.#unauthenticated += 1;
          if (response.statusCode === OVER && episode.ended) this.#afterEnd += 1;
        });
        return null;
      },
    };
  }

  /** What was turned away, of an episode with this trajectory: a service refuses tokens in steps too. */
  counts({ steps }: Trajectory): TurnedAway {
    const refusedInSteps = steps.filter(
      ({ status, delivered }) =>
        (delivered && !delivered.lost ? delivered.status : status) === UNAUTHENTICATED,
    ).length;
    return {
      unauthenticated: Math.max(0, this.#unauthenticated - refusedInSteps),
      afterEnd: this.#afterEnd,
    };
  }
}
