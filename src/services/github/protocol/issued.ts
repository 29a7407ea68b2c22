import { type Actor, type Authorisation, type ProviderError, providerError } from '../../../service/index.ts';
import { errors } from '../errors.ts';
import { momentText } from '../moments.ts';

/**
 * Who calls with a token that an operation gave out: an installation, which acts as its app's bot, or a
 * person who lets an app act for them. Without such a token, whoever the session says.
 */
export function issuedActor({ actor, credential, table, nowMs }: Authorisation): Actor | ProviderError {
  if (credential === undefined) return actor;
  const token = table('issued_tokens').get(credential);
  const { expires_at: ends } = token ?? {};
  if (!token || (typeof ends === 'string' && ends <= momentText(nowMs))) {
    return providerError(errors, 'bad_credentials');
  }
  const app = token.app_id === null ? undefined : table('apps').get(Number(token.app_id));
  if (token.installation_id === null) {
    const account = table('accounts').get(Number(token.account_id));
    const login = String(account?.login ?? actor.id);
    return { id: login, attributes: { login, scopes: token.scopes ?? [], token: credential } };
  }
  const login = `${String(app?.slug ?? 'app')}[bot]`;
  return {
    id: login,
    attributes: {
      login,
      kind: 'app',
      app: Number(token.app_id),
      installation_id: Number(token.installation_id),
      permissions: token.permissions ?? {},
      ...(Array.isArray(token.repository_ids) && { repository_ids: token.repository_ids }),
      token: credential,
    },
  };
}
