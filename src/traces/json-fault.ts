const STRING = String.raw`("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")`;
const SCALAR = String.raw`(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`;
const TOKEN = new RegExp(String.raw`\s*(?:${STRING}|${SCALAR}|([\[\{])|([\]\}])|(,)|(:))`, 'uy');

type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end';

/**
 * Where a text stops being JSON: the engine says that only for some faults. The length of the text when it
 * is cut short.
 */
export function jsonFaultAt(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    const next: Expected | null = found === null ? null : after(found, expected, open);
    if (found === null || next === null) return faultFrom(text, at);
    expected = next;
    at += found[0].length;
  }
}

/** A string that never ends is cut short; any other fault is where the next token begins. */
function faultFrom(text: string, at: number): number {
  const start = at + (/^\s*/u.exec(text.slice(at))?.[0].length ?? 0);
  const isOpenString = /^"(?:[^"\\\p{Cc}]|\\.)*\\?$/u.test(text.slice(start));
  return isOpenString ? text.length : start;
}

/** What may follow a token; null when it must not stand here. */
function after(found: RegExpExecArray, expected: Expected, open: string[]): Expected | null {
  const [, string, scalar, opening, closing, comma, colon] = found;
  const closed: Expected = open.length === 0 ? 'end' : 'comma-or-close';
  const isValue = expected === 'value' || expected === 'value-or-close';
  if (string !== undefined && (expected === 'key' || expected === 'key-or-close')) return 'colon';
  if (string !== undefined || scalar !== undefined) return isValue ? closed : null;
  if (opening !== undefined) {
    if (!isValue) return null;
    open.push(opening);
    return opening === '{' ? 'key-or-close' : 'value-or-close';
  }
  if (colon !== undefined) return expected === 'colon' ? 'value' : null;
  if (comma !== undefined) {
    if (expected !== 'comma-or-close') return null;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  const isClosable = expected.endsWith('-close') && open.pop() === (closing === '}' ? '{' : '[');
  if (!isClosable) return null;
  return open.length === 0 ? 'end' : 'comma-or-close';
}
