/** Quotes within quotes, at most: what is deeper is words. */
const QUOTES_MOST = 50;

/** How text becomes HTML: the parts of GitHub's Markdown that are used most. */
export function renderMarkdown(text: string): string {
  return rendered(text, 0);
}

function rendered(text: string, depth: number): string {
  const html: string[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) html.push(`<p>${inline(paragraph.join('\n'))}</p>`);
    paragraph = [];
  };
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const block = blockAt(lines, at, depth);
    if (block) {
      flush();
      html.push(block.html);
      at = block.end - 1;
    } else if (lines[at]?.trim() === '') {
      flush();
    } else {
      paragraph.push(lines[at] ?? '');
    }
  }
  flush();
  return html.join('\n');
}

interface Block {
  readonly html: string;
  /** The line after the block. */
  readonly end: number;
}

/** The block that starts at a line; undefined for a line of a paragraph. */
function blockAt(lines: readonly string[], at: number, depth: number): Block | undefined {
  const line = lines[at] ?? '';
  const heading = /^(#{1,6})\s+(.+?)\s*#*$/u.exec(line);
  if (heading) {
    const level = heading[1]?.length ?? 1;
    return { html: `<h${level}>${inline(heading[2] ?? '')}</h${level}>`, end: at + 1 };
  }
  if (/^```/u.test(line)) return fencedAt(lines, at);
  if (/^(?:-{3,}|\*{3,}|_{3,})\s*$/u.test(line)) return { html: '<hr>', end: at + 1 };
  if (depth < QUOTES_MOST && /^>\s?/u.test(line)) {
    const end = endOf(lines, at, /^>\s?/u);
    const inner = lines.slice(at, end).map((quoted) => quoted.replace(/^>\s?/u, ''));
    return { html: `<blockquote>\n${rendered(inner.join('\n'), depth + 1)}\n</blockquote>`, end };
  }
  const bullets = { mark: /^[-*+]\s+/u, tag: 'ul' };
  const numbers = { mark: /^\d+[.)]\s+/u, tag: 'ol' };
  return listAt(lines, at, bullets) ?? listAt(lines, at, numbers);
}

function fencedAt(lines: readonly string[], at: number): Block {
  const language = (lines[at] ?? '').slice(3).trim();
  const rest = lines.slice(at + 1);
  const length = rest.findIndex((line) => /^```\s*$/u.test(line));
  const code = rest.slice(0, length < 0 ? rest.length : length).join('\n');
  const end = at + 1 + (length < 0 ? rest.length : length + 1);
  const kind = language === '' ? '' : ` lang="${escaped(language)}"`;
  return { html: `<pre${kind}><code>${escaped(code)}\n</code></pre>`, end };
}

function listAt(
  lines: readonly string[],
  at: number,
  { mark, tag }: { readonly mark: RegExp; readonly tag: string },
): Block | undefined {
  if (!mark.test(lines[at] ?? '')) return undefined;
  const end = endOf(lines, at, mark);
  const items = lines.slice(at, end).map((line) => `<li>${inline(line.replace(mark, ''))}</li>`);
  return { html: `<${tag}>\n${items.join('\n')}\n</${tag}>`, end };
}

function endOf(lines: readonly string[], at: number, mark: RegExp): number {
  let end = at;
  while (mark.test(lines[end] ?? '')) end += 1;
  return end;
}

/** Code, links, images and emphasis within a line. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/u)
    .map((part) => (/^`.+`$/u.test(part) ? `<code>${escaped(part.slice(1, -1))}</code>` : marked(part)))
    .join('');
}

function marked(text: string): string {
  return escaped(text)
    .replaceAll(/!\[([^\]]*)\]\(([^)\s]+)\)/gu, '<img src="$2" alt="$1">')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/gu, '<a href="$2">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/gu, '<strong>$1</strong>')
    .replaceAll(/(^|\W)[*_]([^*_]+)[*_](?=\W|$)/gu, '$1<em>$2</em>')
    .replaceAll(/~~([^~]+)~~/gu, '<del>$1</del>');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
