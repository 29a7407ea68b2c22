import type { Signature } from '../git/index.ts';
import type { FileFact } from './pull-facts.ts';

/** Recordings cut texts at this length. */
const CUT = 300;

/** The files of a diff as git writes it, or of its beginning. */
export function filesInDiff(diff: string): FileFact[] {
  // The last line of a text that was cut may be half a line.
  const text = diff.length < CUT ? diff : diff.slice(0, Math.max(0, diff.lastIndexOf('\n')));
  return text
    .split(/^diff --git /mu)
    .slice(1)
    .flatMap((section) => fileIn(section));
}

function fileIn(section: string): FileFact[] {
  const [first = '', ...lines] = section.replace(/\n$/u, '').split('\n');
  const path = /^a\/(.+) b\/\1$/u.exec(first)?.[1];
  if (path === undefined) return [];
  const at = lines.findIndex((line) => line.startsWith('@@ '));
  const head = at < 0 ? lines : lines.slice(0, at);
  const [, before, after] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/mu.exec(head.join('\n')) ?? [];
  const isNew = head.some((line) => line.startsWith('new file mode'));
  const isGone = head.some((line) => line.startsWith('deleted file mode'));
  return [
    {
      path,
      status: isNew ? 'added' : isGone ? 'removed' : 'modified',
      patches: at < 0 ? [] : [lines.slice(at).join('\n')],
      shas: {
        ...(before !== undefined && !isNew && { before }),
        ...(after !== undefined && !isGone && { after }),
      },
    },
  ];
}

/** A commit as a mail shows it. */
export interface MailedCommit {
  readonly sha: string;
  readonly author: Signature;
  readonly message: string;
  /** Of how many mails it is one. */
  readonly count: number;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The commits of patches as git mails them, as far as their heads are whole. */
export function commitsInMails(text: string): MailedCommit[] {
  return text.split(/^(?=From [0-9a-f]{40} Mon Sep 17 00:00:00 2001$)/mu).flatMap((mail) => commitIn(mail));
}

function commitIn(mail: string): MailedCommit[] {
  const sha = /^From ([0-9a-f]{40}) /u.exec(mail)?.[1];
  const [, name, email] = /^From: (.*) <(.*)>$/mu.exec(mail) ?? [];
  const [, day = '', month = '', year = '', time = '', hours = '', minutes = ''] =
    /^Date: \w+, (\d+) (\w+) (\d+) ([\d:]+) ([+-]\d\d)(\d\d)$/mu.exec(mail) ?? [];
  const subject = /^Subject: \[PATCH(?: \d+\/(\d+))?\] ([^\n]*(?:\n [^\n]*)*)\n\n([\s\S]*)$/mu.exec(mail);
  if (sha === undefined || name === undefined || email === undefined || !subject) return [];
  const [, count = '1', title = '', rest = ''] = subject;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const date = `${year}-${number}-${day.padStart(2, '0')}T${time}${hours}:${minutes}`;
  const body = (rest.split(/^---$/mu)[0] ?? '').trim();
  const words = title.replaceAll(/\n /gu, ' ');
  const message = body === '' ? words : `${words}\n\n${body}`;
  return [{ sha, author: { name: name.replaceAll('"', ''), email, date }, message, count: Number(count) }];
}
