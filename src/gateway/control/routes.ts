import { episodeRoutes } from './episode-routes.ts';
import type { ControlRoute } from './route.ts';
import { sessionRoutes } from './session-routes.ts';
import { worldRoutes } from './world-routes.ts';

/** All routes that carry JSON; metrics, health and the document of the API are the door's own. */
export const controlRoutes: readonly ControlRoute[] = [...sessionRoutes, ...worldRoutes, ...episodeRoutes];
