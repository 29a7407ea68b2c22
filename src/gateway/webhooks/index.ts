/** The only requests that a server makes: notices of events, to this machine. */
export { type EventNotice, noticeOf, type WebhookOptions, Webhooks } from './webhooks.ts';
