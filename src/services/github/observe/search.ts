import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { parseQuery, valuesOf } from '../rules/search/query.ts';
import { blankIssue, seeIssue, UNSEEN_MOMENT } from './issues.ts';
import { inputOf, numberIn, objectIn, type Sight, textIn, type Watcher } from './sight.ts';

/** Nobody sees more results of a search than these. */
const RESULTS_MOST = 1_000;
/** What every issue that is made up to fill a page can be given. */
const PLAIN = ['repo', 'is', 'state', 'type', 'in', 'sort'];

/**
 * A search found as many as it says: what the recording does not show are older ones of the same kind in the
 * same repository, with the words that were looked for.
 */
const searched: Watcher = (sight, exchange) => {
  const { response } = exchange;
  if (!isJsonObject(response) || !Array.isArray(response.items)) return;
  const items = (response.items as readonly Json[]).filter(isJsonObject);
  const last = items.at(-1);
  const total = Math.min(numberIn(response, 'total_count') ?? 0, RESULTS_MOST);
  const query = parseQuery(String(inputOf(exchange).q ?? ''));
  if (!last || total <= items.length || query.qualifiers.some(({ name }) => !PLAIN.includes(name))) return;
  const issue_id = seeIssue(sight, { object: last, exchange });
  const repository_id = issue_id === undefined ? undefined : sight.tx.issues.get(issue_id)?.repository_id;
  if (repository_id === undefined || valuesOf(query, 'repo').length !== 1) return;
  fill(sight, { repository_id, last, words: query.words.join(' '), count: total - items.length });
};

function fill(
  sight: Sight,
  wanted: {
    readonly repository_id: number;
    readonly last: JsonObject;
    readonly words: string;
    readonly count: number;
  },
): void {
  const { repository_id, last, words, count } = wanted;
  let number = numberIn(last, 'number') ?? 1;
  const isPull = objectIn(last, 'pull_request') !== undefined;
  const moment = textIn(last, 'created_at') ?? UNSEEN_MOMENT;
  for (let left = count; left > 0 && number > 1; left -= 1) {
    number -= 1;
    while (number > 1 && sight.tx.issues.unique('by_number', [repository_id, number])) number -= 1;
    if (number < 1) return;
    const id = sight.freshId('issues');
    const blank = blankIssue({ id, repository_id, number, user_id: sight.viewerId });
    const columns = {
      kind: isPull ? 'pull' : 'issue',
      title: words,
      state: textIn(last, 'state'),
      created_at: moment,
      updated_at: moment,
    };
    sight.learn('issues', id, { blank, columns });
  }
}

export const searchWatchers: Readonly<Record<string, Watcher>> = {
  'search/issues-and-pull-requests': searched,
};
