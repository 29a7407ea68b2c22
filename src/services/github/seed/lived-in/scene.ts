import type { SeededRandom, Seeding } from '../../../../service/index.ts';
import { gitStore } from '../../git/index.ts';
import { momentText } from '../../moments.ts';
import type { Account } from '../../schema/accounts.ts';
import type { GithubSchema } from '../../schema.ts';
import type { Plan } from './plan.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** What every part of a lived-in world is written with. */
export class Scene {
  readonly seeding: Seeding<GithubSchema>;
  readonly plan: Plan;
  readonly epochMs: number;
  readonly git: ReturnType<typeof gitStore>;
  /** The organisation that most of it belongs to, and its people, the caller first. */
  readonly org: Account;
  readonly people: Account[] = [];

  constructor(seeding: Seeding<GithubSchema>, plan: Plan, epochMs: number) {
    this.seeding = seeding;
    this.plan = plan;
    this.epochMs = epochMs;
    this.git = gitStore(seeding.tx);
    const accounts = [...seeding.tx.accounts.scan()];
    const org = accounts.find(({ type }) => type === 'Organization');
    if (!org) throw new TypeError('the small world comes first');
    this.org = org;
    this.people.push(...accounts.filter(({ type }) => type === 'User'));
  }

  get tx(): Seeding<GithubSchema>['tx'] {
    return this.seeding.tx;
  }

  get random(): SeededRandom {
    return this.seeding.random;
  }

  id(table: keyof GithubSchema & string): number {
    return Number(this.seeding.nextId(table));
  }

  /** A moment so many milliseconds before the epoch. */
  ago(ms: number): string {
    return momentText(this.epochMs - ms);
  }

  /** One of several, somebody among them more often than others: a few people do most of the work. */
  somebody(): Account {
    const { people, random } = this;
    const few = Math.max(2, Math.ceil(people.length / 4));
    return random.chance(0.6) ? random.pick(people.slice(0, few)) : random.pick(people);
  }
}

export function emailOf({ login }: Account): string {
  return `${login}@octo-works.example`;
}
