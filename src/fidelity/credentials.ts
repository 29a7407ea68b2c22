import type { Service, TokenPlace } from '../service/types.ts';

const SCHEMES: Readonly<Record<string, string>> = { token: 'token', bearer: 'Bearer' };

/**
 * A token in the headers of a request, in the scheme that a recording used, or where the service looks first
 * if it has no such scheme. Places in queries and bodies are not for headers: they give none.
 */
export function credentialHeaders(
  { access }: Service,
  auth: string,
  token: string,
): Readonly<Record<string, string>> {
  if (auth === 'none') return {};
  const fits = (place: TokenPlace): boolean =>
    auth === 'basic'
      ? place.in === 'basic'
      : place.in === 'authorization' && place.scheme === (SCHEMES[auth] ?? 'token');
  const place =
    access.places.find(fits) ?? access.places.find((one) => one.in !== 'query' && one.in !== 'body');
  switch (place?.in) {
    case 'authorization':
      return { authorization: `${place.scheme} ${token}` };
    case 'basic': {
      const pair = place.part === 'user' ? `${token}:` : `user:${token}`;
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    }
    case 'header':
      return { [place.name.toLowerCase()]: token };
    default:
      return {};
  }
}
