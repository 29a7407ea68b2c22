/** The only requests that a server makes: notices of events, to this machine. */
export { Webhooks } from './webhooks.ts';
