const IRREGULAR: Readonly<Record<string, string>> = {
  sent: 'send',
  paid: 'pay',
  made: 'make',
  put: 'put',
  given: 'give',
  gave: 'give',
  written: 'write',
  wrote: 'write',
  held: 'hold',
  took: 'take',
  taken: 'take',
  done: 'do',
  chose: 'choose',
  chosen: 'choose',
  rebooked: 'book',
  told: 'tell',
};

/** A word without its endings, so that `refunded`, `refunds` and `refund` are one. Plain English only. */
export function stem(word: string): string {
  const lowered = word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const irregular = Object.hasOwn(IRREGULAR, lowered) ? IRREGULAR[lowered] : undefined;
  let base = irregular ?? lowered;
  base = base
    .replace(/ibility$/, 'ible')
    .replace(/ability$/, 'able')
    .replace(/ies$/, 'y');
  base = base
    .replace(/lation$/, 'l')
    .replace(/ations?$/, 'ate')
    .replace(/ments?$/, 'ment');
  if (base.length > 4) base = base.replace(/(?:ings?|ed|er)$/, '');
  if (base.length > 3) base = base.replace(/(?<!s)s$/, '');
  return base
    .replace(/([bdglmnprt])\1$/, '$1')
    .replace(/(?<=...)[ei]$/, '')
    .replace(/(?<=...)y$/, '');
}

/** Stems of the words of a name or a sentence; `snake_case` and `camelCase` are taken apart. */
export function stemsOf(text: string): string[] {
  const apart = text.replace(/e-mail/gi, 'email').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** Sentences of a text: split at full stops, question marks and line ends, not inside numbers. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Names compared without case and punctuation: `order_id`, `orderId` and `Order-ID` are one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A pattern of whole words and phrases, each of them a part of a regular expression; case does not count. */
export function phrases(...parts: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${parts.join('|')})\\b`, 'i');
}

const STOP = new Set(
  (
    'a an the and or but if of to in on at by for from with without into over under about as is are was were be ' +
    'been being am do does did done have has had having will would shall should can could may might must not no ' +
    'nor so than that this these those there here it its i me my we us our you your he him his she her they them ' +
    'their who whom which what when where why how all any both each few more most other some such only own same ' +
    'too very just also already now then once again please thank thanks hi hello dear yes ok okay let get got ' +
    'because since until while after before during between through further still yet'
  ).split(' '),
);

/** Stems of the words that carry meaning. */
export function contentStems(text: string): string[] {
  const words = text.replace(/e-mail/gi, 'email').match(/[\p{L}][\p{L}\p{N}]*/gu) ?? [];
  return words.filter((word) => word.length > 2 && !STOP.has(word.toLowerCase())).map(stem);
}
