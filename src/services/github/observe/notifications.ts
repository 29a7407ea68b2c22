import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { UNSEEN_MOMENT } from './issues.ts';
import { seeRepository } from './repositories.ts';
import {
  flagIn,
  inputOf,
  nullableTextIn,
  objectIn,
  type Seer,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

export const notificationSeers: readonly Seer[] = [
  {
    fits: (object) => /\/notifications\/threads\/\d+$/u.test(textIn(object, 'url') ?? ''),
    see: (sight, object) => void seeThread(sight, object),
  },
];

function seeThread(sight: Sight, object: JsonObject): number | undefined {
  const id = Number(object.id);
  const repository = objectIn(object, 'repository');
  if (!Number.isSafeInteger(id) || !repository) return undefined;
  const repository_id = seeRepository(sight, repository);
  sight.learn('notifications', id, {
    blank: { ...blankThread({ id, user_id: sight.viewerId, repository_id }), position: positionBelow(sight) },
    columns: {
      subject: object.subject,
      reason: textIn(object, 'reason'),
      unread: flagIn(object, 'unread'),
      updated_at: textIn(object, 'updated_at'),
      last_read_at: nullableTextIn(object, 'last_read_at'),
    },
  });
  return id;
}

const HIGHEST_POSITION = 1_000_000;

/** What was shown later stands further down. */
function positionBelow(sight: Sight): number {
  return HIGHEST_POSITION - sight.tx.notifications.size;
}

function blankThread(known: {
  readonly id: number;
  readonly user_id: number;
  readonly repository_id: number;
}) {
  return {
    ...known,
    subject: { title: '', url: null, latest_comment_url: null, type: 'Issue' },
    issue_id: null,
    reason: 'subscribed',
    unread: true,
    position: 0,
    updated_at: UNSEEN_MOMENT,
    last_read_at: null,
  };
}

/** What was cut from a page was older than what was kept; pages that nobody looked at are full. */
const listed: Watcher = (sight, exchange) => {
  const { response, cut = [] } = exchange;
  if (!Array.isArray(response)) return;
  const threads = (response as readonly Json[]).filter(isJsonObject);
  const last = threads.at(-1);
  const repository = last && objectIn(last, 'repository');
  if (!last || !repository) return;
  const of = cut.find(({ at }) => at === '')?.of ?? threads.length;
  const shown = Date.parse(textIn(last, 'updated_at') ?? UNSEEN_MOMENT);
  const wanted = { repository_id: seeRepository(sight, repository), moment: momentText(shown) };
  fill(sight, { ...wanted, count: of - threads.length });
  const pages = Number(/[?&]page=(\d+)>; rel="last"/u.exec(exchange.headers?.link ?? '')?.[1]);
  if (!Number.isSafeInteger(pages) || !sight.first('pages of notifications')) return;
  sight.later(() => fillPages(sight, { ...wanted, of, pages }));
};

function fill(
  sight: Sight,
  {
    repository_id,
    moment,
    count,
  }: { readonly repository_id: number; readonly moment: string | undefined; readonly count: number },
): void {
  for (let left = count; left > 0; left -= 1) {
    const id = sight.freshId('notifications');
    const blank = {
      ...blankThread({ id, user_id: sight.viewerId, repository_id }),
      position: positionBelow(sight),
    };
    sight.learn('notifications', id, { blank, columns: { updated_at: moment } });
  }
}

/** One thread more than the pages before the last hold, all older than what is shown. */
function fillPages(
  sight: Sight,
  {
    repository_id,
    of,
    pages,
  }: { readonly repository_id: number; readonly of: number; readonly pages: number },
): void {
  fill(sight, {
    repository_id,
    moment: UNSEEN_MOMENT,
    count: of * (pages - 1) + 1 - sight.tx.notifications.size,
  });
}

/** A thread that a request names was there. */
const called: Watcher = (sight, exchange: RecordedExchange) => {
  const id = Number(inputOf(exchange).thread_id);
  const [repository] = sight.tx.repositories.scan();
  if (exchange.status >= 400 || !Number.isSafeInteger(id) || sight.tx.notifications.has(id) || !repository)
    return;
  const blank = blankThread({ id, user_id: sight.viewerId, repository_id: repository.id });
  sight.learn('notifications', id, { blank, columns: {} });
};

export const notificationWatchers: Readonly<Record<string, Watcher>> = {
  'activity/list-notifications-for-authenticated-user': listed,
  'activity/get-thread': called,
  'activity/mark-thread-as-read': called,
  'activity/mark-thread-as-done': called,
};
