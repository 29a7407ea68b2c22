/** Fault plans for the scenarios of a run. */
export { expand } from './expand.ts';
export { readPlans } from './read-plans.ts';
export { type SwarmRequest, swarmFor } from './swarm-for.ts';
