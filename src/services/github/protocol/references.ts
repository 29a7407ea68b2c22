/** An issue or pull that a text names. */
export interface Named {
  readonly id: number;
  readonly kind: 'issue' | 'pull';
  /** `owner/name` of its repository. */
  readonly repository: string;
  readonly number: number;
  /** Whether that is the repository of the text itself. */
  readonly isHere: boolean;
}

/** What the names in a text lead to; undefined for nothing that is there. */
export interface Names {
  readonly issue: (repository: string | undefined, number: number) => Named | undefined;
  readonly login: (name: string) => string | undefined;
  /** Whether the text is that of a pull: its words may close issues. */
  readonly isPull: boolean;
}

/** A name of an issue, with the word before it that may close it, or that of a person. */
const WORDS = new RegExp(
  [
    String.raw`(?:\b(?<word>close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?<gap>\s+))?`,
    String.raw`(?:(?<![\w/&#-])(?<repository>[\w.-]+/[\w.-]+)?#(?<hash>\d+)\b|\bgh-(?<short>\d+)\b)`,
    String.raw`|(?<![\w/.])@(?<login>[a-z\d](?:[a-z\d-]*[a-z\d])?)(?![\w-])`,
  ].join(''),
  'giu',
);
const ADDRESS = /<a href="(https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d+))">\1<\/a>/gu;

/** A rendered text whose names of issues, pulls and people are links, but for those in code and in links. */
export function withReferences(html: string, names: Names): string {
  let depth = 0;
  return withAddresses(html, names)
    .split(/(<[^>]+>)/u)
    .map((part) => {
      if (/^<(?:a|code|pre)\b/u.test(part)) depth += 1;
      else if (/^<\/(?:a|code|pre)>/u.test(part)) depth -= 1;
      return depth > 0 || part.startsWith('<') ? part : withNames(part, names);
    })
    .join('');
}

/** Addresses of issues and pulls are shown as names. */
function withAddresses(html: string, names: Names): string {
  return replaced(html, ADDRESS, ([whole, , repository, number]) => {
    const named = names.issue(repository, Number(number));
    return named ? link(named, labelOf(named)) : whole;
  });
}

function withNames(text: string, names: Names): string {
  return replaced(text, WORDS, (match) => {
    const [whole] = match;
    const { word, gap = '', repository, hash, short, login } = match.groups ?? {};
    if (login !== undefined) return mention(whole, names.login(login));
    const found = names.issue(repository, Number(hash ?? short));
    if (!found) return whole;
    const lead = word === undefined ? '' : `${closing(word, found, names)}${gap}`;
    return lead + link(found, whole.slice(word === undefined ? 0 : `${word}${gap}`.length));
  });
}

/** A text with something in place of every match. */
function replaced(text: string, pattern: RegExp, by: (match: RegExpExecArray) => string): string {
  let result = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    result += text.slice(at, match.index) + by(match);
    at = match.index + match[0].length;
  }
  return result + text.slice(at);
}

function labelOf({ repository, number, isHere }: Named): string {
  return isHere ? `#${number}` : `${repository}#${number}`;
}

function closing(word: string, { kind, number, isHere }: Named, { isPull }: Names): string {
  if (!isPull || kind === 'pull' || !isHere) return word;
  const label = `This pull request closes issue #${number}.`;
  return `<span class="issue-keyword tooltipped tooltipped-se" aria-label="${label}">${word}</span>`;
}

function link({ id, kind, repository, number }: Named, label: string): string {
  const path = `${repository}/${kind === 'pull' ? 'pull' : 'issues'}/${number}`;
  const url = `https://github.com/${path}`;
  const attributes = [
    'class="issue-link js-issue-link"',
    'data-error-text="Failed to load title"',
    `data-id="${id}"`,
    'data-permission-text="Title is private"',
    `data-url="${url}"`,
    `data-hovercard-type="${kind === 'pull' ? 'pull_request' : 'issue'}"`,
    `data-hovercard-url="/${path}/hovercard"`,
    `href="${url}"`,
  ];
  return `<a ${attributes.join(' ')}>${label}</a>`;
}

function mention(whole: string, login: string | undefined): string {
  if (login === undefined) return whole;
  const attributes = [
    'class="user-mention"',
    'data-hovercard-type="user"',
    `data-hovercard-url="/users/${login}/hovercard"`,
    'data-octo-click="hovercard-link-click"',
    'data-octo-dimensions="link_type:self"',
    `href="https://github.com/${login}"`,
  ];
  return `<a ${attributes.join(' ')}>${whole}</a>`;
}
