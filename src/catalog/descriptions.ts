import { createRequire } from 'node:module';

/** Published API descriptions by service: files of packages that may be installed. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  github: '@octokit/openapi/generated/api.github.com.json',
};

/** A published API description: where it is, and what a reader knows it by. */
export interface PublishedDescription {
  readonly file: string;
  readonly name: string;
}

/** The vendor's own description of a service; undefined where there is none, or its package is missing. */
export function publishedDescription(service: string): PublishedDescription | undefined {
  const name = Object.hasOwn(DESCRIPTIONS, service) ? DESCRIPTIONS[service] : undefined;
  if (name === undefined) return undefined;
  try {
    return { name, file: createRequire(import.meta.url).resolve(name) };
  } catch {
    return undefined;
  }
}
