/**
 * Text of others as it may be shown: characters that would steer a terminal or turn the direction of writing
 * are spelled out, `\u001b`. Line ends and tabs stay.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/gu, '\n')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character === '\n' || character === '\t'
        ? character
        : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    );
}
