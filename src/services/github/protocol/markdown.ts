/**
 * Markdown as GitHub renders comments, as far as comments go: paragraphs with hard line breaks, headings,
 * lists and lists of tasks, quotes, code, links, emphasis.
 */
export function htmlOf(markdown: string): string {
  return blocks(markdown.replaceAll('\r\n', '\n').split('\n')).join('\n');
}

/** What remains of a rendered text without its marks. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)\s*$/u;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/u;
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/u;
const QUOTE = /^ {0,3}> ?/u;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/u;

/** Gives the blocks of some lines, each as HTML. */
function blocks(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const { html, end } = blockAt(lines, at);
    if (html !== '') found.push(html);
    at = end;
  }
  return found;
}

interface Block {
  readonly html: string;
  /** The line behind it. */
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number): Block {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { html: '', end: at + 1 };
  const fence = FENCE.exec(line);
  if (fence) return codeAt(lines, at, { mark: fence[1] ?? '```', language: fence[2] ?? '' });
  const heading = HEADING.exec(line);
  if (heading) {
    const level = (heading[1] ?? '').length;
    return { html: `<h${level}>${inline(heading[2] ?? '')}</h${level}>`, end: at + 1 };
  }
  if (RULE.test(line)) return { html: '<hr>', end: at + 1 };
  if (QUOTE.test(line)) return quoteAt(lines, at);
  if (ITEM.test(line)) return listAt(lines, at);
  return paragraphAt(lines, at);
}

function codeAt(
  lines: readonly string[],
  at: number,
  { mark, language }: { readonly mark: string; readonly language: string },
): Block {
  let end = at + 1;
  const closing = new RegExp(`^ {0,3}${mark}+\\s*$`, 'u');
  while (end < lines.length && !closing.test(lines[end] ?? '')) end += 1;
  const code = escaped(lines.slice(at + 1, end).join('\n'));
  const text = code === '' ? '' : `${code}\n`;
  const kind =
    language === '' ? 'snippet-clipboard-content' : `highlight highlight-source-${language.toLowerCase()}`;
  const shell = `<div class="${kind} position-relative overflow-auto" data-snippet-clipboard-copy-content="${text}">`;
  const html = `${shell}<pre>${language === '' ? `<code>${text}</code>` : code}</pre></div>`;
  return { html, end: end + 1 };
}

function quoteAt(lines: readonly string[], at: number): Block {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end += 1;
  const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ''));
  return { html: `<blockquote>\n${blocks(inside).join('\n')}\n</blockquote>`, end };
}

function listAt(lines: readonly string[], at: number): Block {
  const isOrdered = /\d/u.test(ITEM.exec(lines[at] ?? '')?.[2] ?? '');
  const items: string[][] = [];
  // What belongs to an item is set in at least two spaces further than its mark.
  const indent = ' '.repeat((ITEM.exec(lines[at] ?? '')?.[1] ?? '').length + 2);
  let end = at;
  let isLoose = false;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const isInside = line.startsWith(indent) || line.startsWith('\t');
    const item = isInside ? null : ITEM.exec(line);
    const last = items.at(-1);
    if (item && /\d/u.test(item[2] ?? '') === isOrdered) {
      if (last?.at(-1) === '') isLoose = true;
      items.push([line.slice(item[0].length)]);
    } else if (last && (isInside || (line === '' && isFollowed(lines, end)))) {
      last.push(line.startsWith('\t') ? line.slice(1) : line.slice(indent.length));
    } else if (last && line.trim() !== '' && last.at(-1) !== '' && !startsBlock(line)) last.push(line);
    else break;
  }
  const tag = isOrdered ? 'ol' : 'ul';
  const html = items.map((item) => `<li>${itemOf(item, isLoose)}</li>`).join('\n');
  return { html: `<${tag}>\n${html}\n</${tag}>`, end };
}

/** Whether a list goes on behind an empty line. */
function isFollowed(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1] ?? '';
  return ITEM.test(next) || /^(?: {2,}|\t)\S/u.test(next);
}

function itemOf(lines: readonly string[], isLoose: boolean): string {
  const task = /^\[([ xX])\]\s+/u.exec(lines[0] ?? '');
  const box =
    task &&
    `<input type="checkbox" class="task-list-item-checkbox" disabled=""${task[1] === ' ' ? '' : ' checked=""'}> `;
  const inside = task ? [(lines[0] ?? '').slice(task[0].length), ...lines.slice(1)] : lines;
  const parts = blocks(inside).map((html) => (isLoose ? html : html.replaceAll(/^<p>|<\/p>$/gu, '')));
  const text = parts.join('\n');
  return `${box ?? ''}${isLoose ? `\n${text}\n` : parts.length > 1 ? `${text}\n` : text}`;
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);
}

function paragraphAt(lines: readonly string[], at: number): Block {
  let end = at + 1;
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !startsBlock(lines[end] ?? '')) end += 1;
  const text = lines.slice(at, end).map((line, index) => (index === 0 ? line.trimStart() : line.trim()));
  return { html: `<p>${inline(text.join('\n').trim())}</p>`, end };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Code, links and addresses, which are taken before anything else is looked at. */
const ATOM =
  /`([^`\n]+)`|!\[([^\]\n]*)\]\((\S+?)\)|\[([^\]\n]+)\]\((\S+?)\)|(https?:\/\/[^\s<>)\]]*[^\s<>)\].,:;!?'"])/giu;

function inline(text: string): string {
  let html = '';
  let at = 0;
  for (const match of text.matchAll(ATOM)) {
    html += emphasised(text.slice(at, match.index)) + atom(match);
    at = match.index + match[0].length;
  }
  return html + emphasised(text.slice(at));
}

function atom([, code, alt, image, label, target, address]: RegExpMatchArray): string {
  if (code !== undefined) return `<code>${escaped(code)}</code>`;
  if (image !== undefined) return `<img src="${escaped(image)}" alt="${escaped(alt ?? '')}">`;
  return target === undefined
    ? link(address ?? '', escaped(address ?? ''))
    : link(target, emphasised(label ?? ''));
}

function link(target: string, label: string): string {
  const isOwn = /^https:\/\/(?:gist\.)?github\.com(?:\/|$)/u.test(target) || target.startsWith('#');
  return `<a ${isOwn ? '' : 'rel="nofollow" '}href="${escaped(target)}">${label}</a>`;
}

function emphasised(text: string): string {
  return escaped(text)
    .replaceAll('&quot;', '"')
    .replaceAll(/\*\*(\S(?:[^*\n]*\S)?)\*\*/gu, '<strong>$1</strong>')
    .replaceAll(/(?<![\w_])__(\S(?:[^_\n]*\S)?)__(?![\w_])/gu, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])/gu, '<em>$1</em>')
    .replaceAll(/(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])/gu, '<em>$1</em>')
    .replaceAll(/~~(\S(?:[^~\n]*\S)?)~~/gu, '<del>$1</del>')
    .replaceAll(/[ \t]*\n/gu, '<br>\n');
}
