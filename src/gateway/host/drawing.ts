import { isJsonObject, type Json } from '../../base/json.ts';
import type { CallRequest, Delivery } from '../../session/index.ts';
import type { HostedEpisode } from './episode.ts';
import type { Warm } from './held.ts';
import { drawToken, SESSION_TOKEN } from './tokens.ts';
import type { Credential } from './types.ts';

/** Draws a session's id: it stands in paths, so it is lower case, and nobody can guess it. */
export function drawSessionId(): string {
  return drawToken({ prefix: 's', length: 24, alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789' });
}

/** One token per service and actor, and one per actor for the session itself. */
export function drawCredentials(
  session: string,
  episode: HostedEpisode,
  actors: readonly string[],
): readonly Credential[] {
  const shapes = [
    { service: null, shape: SESSION_TOKEN },
    ...episode.environment.services.map(({ name, access }) => ({ service: name, shape: access.token })),
  ];
  return actors.flatMap((actor) =>
    shapes.map(({ service, shape }): Credential => ({ token: drawToken(shape), session, service, actor })),
  );
}

/** Draws an alias for every token that the call's operation issued and that has none yet. */
export function drawAliases(
  session: string,
  warm: Warm,
  { call, delivery }: { readonly call: CallRequest; readonly delivery: Delivery },
): readonly Credential[] {
  const callable = warm.episode.session.callableNamed(call.tool);
  const members = callable?.operation?.issuedTokens;
  if (!members || !callable || !delivery.ok || !isJsonObject(delivery.body)) return [];
  const actor = call.actor ?? warm.episode.session.actors[0]?.id ?? 'agent';
  const drawn = new Map<string, Credential>();
  for (const member of members) {
    const worldToken: Json | undefined = delivery.body[member];
    if (typeof worldToken !== 'string' || warm.aliases?.has(worldToken)) continue;
    const token = drawToken(callable.service.access.token);
    drawn.set(worldToken, { token, session, service: callable.service.name, actor, worldToken });
  }
  return [...drawn.values()];
}

/** Lets a session know its credentials, aliases among them. */
export function takeCredentials(warm: Warm, added: readonly Credential[]): void {
  if (added.length === 0) return;
  warm.credentials = [...warm.credentials, ...added];
  for (const { token, worldToken } of added) {
    if (worldToken === undefined) continue;
    warm.aliases ??= new Map();
    warm.worldTokens ??= new Map();
    warm.aliases.set(worldToken, token);
    warm.worldTokens.set(token, worldToken);
  }
}
