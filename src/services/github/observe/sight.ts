import {
  isJsonObject,
  type Json,
  type JsonObject,
  type RecordedExchange,
  type Seeding,
} from '../../../service/index.ts';
import type { GithubSchema } from '../schema.ts';

type TableName = keyof GithubSchema & string;
type Columns = Readonly<Record<string, unknown>>;

/** Names and numbers that belong together, as a recording shows them anywhere. */
export interface Names {
  /** By login in lower case. */
  readonly accounts: ReadonlyMap<string, number>;
  /** By `owner/name` in lower case. */
  readonly repositories: ReadonlyMap<string, number>;
  /**
   * Names of repositories, in lower case, that a request makes though nothing took away what had them before;
   * with how often that was asked for.
   */
  readonly madeAnew: ReadonlyMap<string, number>;
}

/**
 * What is known of the world before a recording began. Every column comes from the first answer that shows
 * it; things that the recording's own requests made, and whatever is in them, are never written.
 */
export class Sight {
  readonly seeding: Seeding<GithubSchema>;
  readonly names: Names;
  /** The number of the account that calls; 0 while nobody is known. */
  viewerId = 0;
  /** Repositories in which answers show that the caller has no part. */
  readonly strangers = new Set<number>();
  /** How many repositories the requests so far made, by the number of their owner. */
  readonly madeBy = new Map<number, { readonly public: number; readonly private: number }>();
  readonly #later: (() => void)[] = [];
  readonly #made = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #last: (() => void)[] = [];

  constructor(seeding: Seeding<GithubSchema>, names: Names) {
    this.seeding = seeding;
    this.names = names;
  }

  get tx(): Seeding<GithubSchema>['tx'] {
    return this.seeding.tx;
  }

  /** Has something done when all exchanges are read, before what waits already if it is to be first. */
  atEnd(last: () => void, first = false): void {
    if (first) this.#last.unshift(last);
    else this.#last.push(last);
  }

  /** Does what was put off. */
  end(): void {
    for (const last of this.#last) last();
  }

  /** A request of the recording made this thing. */
  making(table: TableName, key: Json): void {
    this.#made.add(`${table} ${JSON.stringify(key)}`);
  }

  isMade(table: TableName, key: Json): boolean {
    return this.#made.has(`${table} ${JSON.stringify(key)}`);
  }

  /** Whether an answer showed this column of a row. */
  isShown(table: TableName, key: Json, column: string): boolean {
    return this.#shown.has(`${table} ${JSON.stringify(key)} ${column}`);
  }

  /**
   * Writes what an answer shows of a row: `blank` is the row where nothing is known, `columns` what is shown
   * now. A column that an earlier answer showed keeps what that said; `undefined` shows nothing.
   */
  learn(
    table: TableName,
    key: Json,
    { blank, columns }: { readonly blank: Columns; readonly columns: Columns },
  ): void {
    if (this.isMade(table, key)) return;
    const rows = this.tx[table] as unknown as {
      has(key: Json): boolean;
      insert(row: Columns): void;
      update(key: Json, changes: Columns): void;
    };
    const fresh: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(columns)) {
      const mark = `${table} ${JSON.stringify(key)} ${name}`;
      if (value === undefined || this.#shown.has(mark)) continue;
      this.#shown.add(mark);
      fresh[name] = value;
    }
    if (rows.has(key)) rows.update(key, fresh);
    else rows.insert({ ...blank, ...fresh });
  }

  /** Puts something off until all of the recording was looked at. */
  later(work: () => void): void {
    this.#later.push(work);
  }

  /** Does what was put off. */
  finish(): void {
    for (const work of this.#later) work();
  }

  /** True the first time that this is asked: what a thing held before is told by the first answer alone. */
  first(what: string): boolean {
    if (this.#shown.has(what)) return false;
    this.#shown.add(what);
    return true;
  }

  /** The next number of a table, for what no answer gives a number. */
  freshId(table: TableName): number {
    for (;;) {
      const id = Number(this.seeding.nextId(table));
      if (!(this.tx[table] as unknown as { has(key: number): boolean }).has(id)) return id;
    }
  }
}

/** One object of an answer: what shows it, and how deep it stands. */
export interface Shown {
  readonly exchange: RecordedExchange;
  /** True for the answer itself, or an item of a list that is the answer. */
  readonly top: boolean;
}

/** Knows one kind of thing by its shape, and writes what an object shows of it. */
export interface Seer {
  readonly fits: (object: JsonObject) => boolean;
  readonly see: (sight: Sight, object: JsonObject, shown: Shown) => void;
  /** A member that tells of another time, and is not looked into. */
  readonly closed?: string;
}

/** What an operation's exchanges tell besides the objects in their answers. */
export type Watcher = (sight: Sight, exchange: RecordedExchange) => unknown;

/** What a successful request of an operation made: tables and keys, read off its answer. */
export type Maker = (
  body: JsonObject,
  exchange: RecordedExchange,
  sight: Sight,
) => readonly (readonly [TableName, Json])[];

/** The member as a text, or undefined for anything else. */
export function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

/** The member as a text or null, or undefined for anything else. */
export function nullableTextIn(object: JsonObject, name: string): string | null | undefined {
  const value = object[name];
  return typeof value === 'string' || value === null ? value : undefined;
}

export function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}

export function flagIn(object: JsonObject, name: string): boolean | undefined {
  const value = object[name];
  return typeof value === 'boolean' ? value : undefined;
}

export function objectIn(object: JsonObject, name: string): JsonObject | undefined {
  const value = object[name];
  return isJsonObject(value) ? value : undefined;
}

/** The input of an exchange as an object. */
export function inputOf({ input }: RecordedExchange): JsonObject {
  return isJsonObject(input) ? input : {};
}
