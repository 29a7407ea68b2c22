export { type ChildEnvironmentOptions, childEnvironment } from './environment.ts';
export { type ProxyOptions, type RefusedHost, type RunningProxy, startProxy } from './proxy.ts';
