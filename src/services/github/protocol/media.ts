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

/** Until when a preview was one: from then its name means nothing more. Most ended together. */
const PREVIEWS_ENDED = Date.UTC(2021, 7, 1);
const ENDED_EARLIER: Readonly<Record<string, number>> = {
  'antiope-preview': Date.UTC(2020, 9, 1),
  'doctor-strange-preview': Date.UTC(2020, 2, 1),
  'drax-preview': Date.UTC(2017, 9, 1),
  'loki-preview': Date.UTC(2019, 3, 1),
  'luke-cage-preview': Date.UTC(2020, 8, 1),
  'machine-man-preview': Date.UTC(2020, 7, 20),
  'shadow-cat-preview': Date.UTC(2019, 8, 1),
};

interface Asked {
  readonly form: string | undefined;
  readonly isJson: boolean;
}

/** Reads an `Accept` header as it is understood at a moment; without one everything is JSON. */
export function mediaTypeOf(accept: string | undefined, nowMs: number): MediaType {
  if (accept === undefined) return DEFAULT;
  const types = accept.split(',').map((type) => (type.split(';', 1)[0] ?? '').trim());
  const customs = types.map((type) => CUSTOM.exec(type)).filter((match) => match !== null);
  const [first] = customs;
  if (!first) return PLAIN.has(types[0] ?? '') ? DEFAULT : UNKNOWN;
  const asked = customs.map((match): Asked => ({ form: match[2], isJson: match[3] !== undefined }));
  return {
    header: headerOf(asked, nowMs),
    forms: asked.flatMap(({ form }) => form?.split('.') ?? []),
    custom: first[0].replace(/\+json$/u, ''),
  };
}

function headerOf(asked: readonly Asked[], nowMs: number): string {
  const previews = asked.filter(({ form }) => form !== undefined && isPreview(form, nowMs));
  if (previews.length > 0) return previews.map(({ form }) => `github.${form}; format=json`).join(', ');
  const forms = asked.flatMap(({ form }) => form ?? []);
  const isJson = asked.some((one) => one.isJson) || forms.length === 0;
  return [
    'github.v3',
    ...(forms.length > 0 ? [`param=${forms.join('.')}`] : []),
    ...(isJson ? ['format=json'] : []),
  ].join('; ');
}

function isPreview(form: string, nowMs: number): boolean {
  return form.endsWith('-preview') && nowMs < (ENDED_EARLIER[form] ?? PREVIEWS_ENDED);
}

/** Accept headers that ask for what everybody gets, at any time. */
export function isOrdinary(accept: string): boolean {
  const { header, forms } = mediaTypeOf(accept, 0);
  return header === DEFAULT.header && forms.length === 0;
}
