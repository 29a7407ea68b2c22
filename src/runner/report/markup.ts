import { printable } from './printable.ts';

/** Markup that is safe to print: made by `html`, which escapes everything else put into it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | null | undefined | false | readonly Part[];

/** A template of markup; values are escaped, lists are joined, nothing is printed for null and false. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, index) => text + print(parts[index])).join(''));
}

function print(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(print).join('');
  return escapeText(String(part));
}

/** Escapes what has a meaning in markup, in text and in quoted attributes, and what cannot be seen. */
export function escapeText(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
}
