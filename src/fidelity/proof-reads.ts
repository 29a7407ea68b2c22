import { isJsonObject, type Json } from '../base/json.ts';
import type { CorpusRecord } from './types.ts';

/**
 * Tells reads that prove state: of something that the scenario wrote, of what belongs to it, or of a list or
 * another thing that shows it.
 */
export class ProofReads {
  readonly #paths = new Set<string>();
  readonly #identities = new Set<string>();

  /** Takes a write that succeeded. */
  wrote({ request, response }: CorpusRecord): void {
    if (response.status >= 400) return;
    if (request.method !== 'POST') this.#paths.add(request.path);
    const { body } = response;
    if (!isJsonObject(body)) return;
    if (typeof body.url === 'string') this.#paths.add(pathOf(body.url));
    for (const identity of identitiesOf(body)) this.#identities.add(identity);
  }

  isProof({ request, response }: CorpusRecord): boolean {
    for (const path of this.#paths) {
      if (request.path === path || request.path.startsWith(`${path}/`)) return true;
    }
    return this.#identities.size > 0 && this.#shows(response.body);
  }

  #shows(value: Json): boolean {
    if (Array.isArray(value)) return (value as readonly Json[]).some((item) => this.#shows(item));
    if (!isJsonObject(value)) return false;
    if (identitiesOf(value).some((identity) => this.#identities.has(identity))) return true;
    return Object.values(value).some((member) => typeof member === 'object' && this.#shows(member));
  }
}

function pathOf(address: string): string {
  return address.replace(/^[a-z]+:\/\/[^/]*/u, '');
}

function identitiesOf({ id, node_id: nodeId, sha, url }: { readonly [name: string]: Json | undefined }) {
  const found: string[] = [];
  if (typeof nodeId === 'string') found.push(`node ${nodeId}`);
  if (typeof sha === 'string') found.push(`sha ${sha}`);
  if (typeof url === 'string') found.push(`url ${url}`);
  if (typeof id === 'string' && id.length > 6) found.push(`id ${id}`);
  return found;
}
