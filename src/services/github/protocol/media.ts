/** What an `Accept` header asks GitHub for. */
export interface MediaType {
  /** The value of `x-github-media-type`. */
  readonly header: string;
  /** Forms asked for, such as `raw`, `diff`, `html`, `full`. */
  readonly forms: readonly string[];
  /** The custom type as it was asked for, without `+json`, to be the answer's content type. */
  readonly custom: string;
}

const DEFAULT: MediaType = { header: 'github.v3; format=json', forms: [], custom: '' };
const UNKNOWN: MediaType = { header: 'unknown, github.v3', forms: [], custom: '' };
const CUSTOM = /^application\/vnd\.github(?:\.(v\d+|VERSION))?(?:\.([\w.-]+))?(\+json)?$/u;
const PLAIN = new Set(['application/json', '*/*', 'application/*', 'text/json', '']);

/** Reads an `Accept` header; without one everything is JSON. */
export function mediaTypeOf(accept: string | undefined): MediaType {
  if (accept === undefined) return DEFAULT;
  const types = accept.split(',').map((type) => (type.split(';', 1)[0] ?? '').trim());
  const customs = types.map((type) => CUSTOM.exec(type)).filter((match) => match !== null);
  const [first] = customs;
  if (!first) return PLAIN.has(types[0] ?? '') ? DEFAULT : UNKNOWN;
  const forms = customs.flatMap((match) => (match[2] === undefined ? [] : match[2].split('.')));
  const parts = [
    'github.v3',
    ...(forms.length > 0 ? [`param=${forms.join('.')}`] : []),
    ...(customs.some((match) => match[3] !== undefined) || forms.length === 0 ? ['format=json'] : []),
  ];
  return { header: parts.join('; '), forms, custom: first[0].replace(/\+json$/u, '') };
}

/** Accept headers that ask for what everybody gets. */
export function isOrdinary(accept: string): boolean {
  return mediaTypeOf(accept).header === DEFAULT.header;
}
