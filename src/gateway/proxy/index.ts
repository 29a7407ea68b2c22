export { childEnvironment } from './environment.ts';
export { type RefusedHost, startProxy } from './proxy.ts';
