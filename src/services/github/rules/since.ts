import type { Reading } from '../operation.ts';
import { API } from '../views/urls.ts';
import { type PageInput, pageOf } from './paging.ts';

/** Query members of lists that go on after a number. */
export interface SinceInput extends PageInput {
  readonly since?: number | string | undefined;
}

/** The items after `since`, as many as asked for, with the links that such lists have. */
export function afterNumber<Item extends { readonly id: number }>(
  ctx: Reading,
  input: SinceInput,
  { path, items }: { readonly path: string; readonly items: Iterable<Item> },
): readonly Item[] {
  const { size } = pageOf(input);
  const since = Number(input.since ?? 0) || 0;
  const found: Item[] = [];
  let more = false;
  for (const item of items) {
    if (item.id <= since) continue;
    more = found.length === size;
    if (more) break;
    found.push(item);
  }
  const asked = input.per_page === undefined ? '' : `per_page=${input.per_page}&`;
  const next = `<${API}${path}?${asked}since=${found.at(-1)?.id ?? since}>; rel="next"`;
  const link = [...(more ? [next] : []), `<${API}${path}{?since}>; rel="first"`].join(', ');
  ctx.reply({ headers: { link } });
  return found;
}
