import { bytesOfText } from './bytes.ts';
import { diffCommit, type FileDiff } from './diff.ts';
import { diffStat } from './diffstat.ts';
import { readDate } from './hash.ts';
import { commitAt, type GitCommit, type GitReader, type Signature } from './store.ts';
import { type UnifiedOptions, unifiedDiff } from './unified.ts';

/**
 * Commits as mails, in the order given: what the media type `patch` answers. Commits that change no file are
 * counted but have no mail, and those that are not stored have none either.
 */
export function mailPatches(
  reader: GitReader,
  shas: readonly string[],
  options: UnifiedOptions = {},
): string {
  const mails = shas.flatMap((sha, at) => {
    const commit = commitAt(reader, sha);
    const files = commit ? diffCommit(reader, sha) : [];
    if (!commit || files.length === 0) return [];
    const number = `${at + 1}`.padStart(`${shas.length}`.length, '0');
    const prefix = shas.length === 1 ? '[PATCH] ' : `[PATCH ${number}/${shas.length}] `;
    return [mailHead({ sha, commit, prefix }) + mailBody(reader, files, options)];
  });
  return mails.join('\n');
}

function mailHead({ sha, commit, prefix }: { sha: string; commit: GitCommit; prefix: string }): string {
  const { title, body } = splitMessage(commit.message);
  const lines = [
    `From ${sha} Mon Sep 17 00:00:00 2001`,
    fromLine(commit.author),
    `Date: ${mailDate(commit.author.date)}`,
    subjectLine(`Subject: ${prefix}`, title),
  ];
  if (!isAscii(commit.message)) {
    lines.push('MIME-Version: 1.0', 'Content-Type: text/plain; charset=UTF-8');
    lines.push('Content-Transfer-Encoding: 8bit');
  }
  return `${lines.join('\n')}\n\n${body === '' ? '' : `${body}\n`}---\n`;
}

function mailBody(reader: GitReader, files: readonly FileDiff[], options: UnifiedOptions): string {
  return `${diffStat(reader, files)}\n${unifiedDiff(reader, files, options)}`;
}

/** The first paragraph of a message in one line, and the rest. */
export function splitMessage(message: string): { readonly title: string; readonly body: string } {
  const lines = message.split('\n').map((line) => line.trimEnd());
  const start = lines.findIndex((line) => line !== '');
  if (start < 0) return { title: '', body: '' };
  const gap = lines.indexOf('', start);
  const end = gap < 0 ? lines.length : gap;
  const body = lines.slice(end).join('\n').replace(/^\n+/u, '').trimEnd();
  return { title: lines.slice(start, end).join(' '), body };
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment as mails write it, in its own zone. */
function mailDate(date: string): string {
  const { seconds, zone } = readDate(date);
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  const local = new Date((seconds + (zone.startsWith('-') ? -60 : 60) * minutes) * 1000);
  const day = `${DAYS[local.getUTCDay()]}, ${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}`;
  const time = local.toISOString().slice(11, 19);
  return `${day} ${local.getUTCFullYear()} ${time} ${zone}`;
}

const LINE_COLUMNS = 78;

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text);
}

function fromLine({ name, email }: Signature): string {
  const line = `From: ${mailName(name)}`;
  const address = ` <${email}>`;
  const lastLength = line.length - (line.lastIndexOf('\n') + 1);
  return lastLength + bytesOfText(address).length > LINE_COLUMNS ? `${line}\n${address}` : line + address;
}

function mailName(name: string): string {
  if (!isAscii(name) || name.includes('=?')) {
    return encodeWords(name, { column: 'From: '.length, safe: /[A-Za-z0-9!*+\-/]/u });
  }
  return /[()<>[\]:;@,."\\]/u.test(name) ? `"${name.replace(/["\\]/gu, '\\$&')}"` : name;
}

function subjectLine(lead: string, title: string): string {
  if (!isAscii(title) || title.includes('=?')) {
    return lead + encodeWords(title, { column: lead.length, safe: /[!->@-^`-~]/u });
  }
  let line = lead.trimEnd();
  const lines: string[] = [];
  for (const word of title.split(/\s+/u)) {
    if (word !== '' && line.length + 1 + word.length > LINE_COLUMNS) {
      lines.push(line);
      line = '';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

const ENCODED_COLUMNS = 76;
const OPENING = '=?UTF-8?q?';

/** A header in the quoted form of RFC 2047, folded; `safe` are the characters that stand for themselves. */
function encodeWords(
  text: string,
  { column, safe }: { readonly column: number; readonly safe: RegExp },
): string {
  let line = OPENING;
  let width = column + OPENING.length;
  for (const character of text) {
    const plain = safe.test(character) && !'=?_'.includes(character);
    const encoded = plain ? character : escapeBytes(character);
    if (width + encoded.length + 2 > ENCODED_COLUMNS) {
      line += `?=\n ${OPENING}`;
      width = OPENING.length + 1;
    }
    line += encoded;
    width += encoded.length;
  }
  return `${line}?=`;
}

function escapeBytes(character: string): string {
  return [...bytesOfText(character)]
    .map((byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
