import { entryOf } from './entries.ts';

/** What GitHub takes a file for by its name: its language and its media type. */
const KINDS: Readonly<Record<string, readonly [language: string, type: string]>> = {
  c: ['C', 'text/x-csrc'],
  cpp: ['C++', 'text/x-c++src'],
  cs: ['C#', 'text/plain'],
  css: ['CSS', 'text/css'],
  csv: ['CSV', 'text/csv'],
  diff: ['Diff', 'text/x-diff'],
  go: ['Go', 'text/plain'],
  h: ['C', 'text/plain'],
  htm: ['HTML', 'text/html'],
  html: ['HTML', 'text/html'],
  java: ['Java', 'text/x-java-source'],
  js: ['JavaScript', 'application/javascript'],
  json: ['JSON', 'application/json'],
  kt: ['Kotlin', 'text/plain'],
  lua: ['Lua', 'text/x-lua'],
  md: ['Markdown', 'text/markdown'],
  php: ['PHP', 'application/x-httpd-php'],
  pl: ['Perl', 'application/x-perl'],
  py: ['Python', 'application/x-python'],
  rb: ['Ruby', 'application/x-ruby'],
  rs: ['Rust', 'text/plain'],
  sh: ['Shell', 'application/x-sh'],
  sql: ['SQL', 'application/sql'],
  svg: ['SVG', 'image/svg+xml'],
  swift: ['Swift', 'text/plain'],
  tex: ['TeX', 'application/x-tex'],
  toml: ['TOML', 'text/plain'],
  ts: ['TypeScript', 'application/typescript'],
  txt: ['Text', 'text/plain'],
  vim: ['Vim Script', 'text/plain'],
  xml: ['XML', 'application/xml'],
  yaml: ['YAML', 'text/x-yaml'],
  yml: ['YAML', 'text/x-yaml'],
};

export function languageOf(name: string): string | null {
  return entryOf(KINDS, extensionOf(name))?.[0] ?? null;
}

export function mediaTypeOfFile(name: string): string {
  return entryOf(KINDS, extensionOf(name))?.[1] ?? 'text/plain';
}

function extensionOf(name: string): string {
  return name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '';
}
