import type { Seeding } from '../../service/index.ts';
import type { GithubSchema } from './schema.ts';
import { seedApps } from './seed/apps.ts';
import { seedAutomation } from './seed/automation.ts';
import { seedCommunity } from './seed/community.ts';
import { seedConversations } from './seed/conversations.ts';
import { seedGit } from './seed/git.ts';
import { seedIssues } from './seed/issues.ts';
import { LARGE, STANDARD, seedLivedIn } from './seed/lived-in/index.ts';
import { seedOauth } from './seed/oauth.ts';
import { seedParts, seedPraise } from './seed/parts.ts';
import { seedPeople } from './seed/people.ts';
import { seedPulls } from './seed/pulls.ts';
import { seedScanning } from './seed/scanning.ts';
import { seedSharing } from './seed/sharing.ts';
import { seedWorkflows } from './seed/workflows.ts';

/** 2026-03-02, 09:00 UTC: a Monday morning, the moment the seeds are written for. */
export const EPOCH_MS = Date.UTC(2026, 2, 2, 9);

/** One organisation with three repositories, and the few people who work there. */
export function seedSmall(seeding: Seeding<GithubSchema>): void {
  seedPeople(seeding, EPOCH_MS);
  seedGit(seeding, EPOCH_MS);
  seedParts(seeding, EPOCH_MS);
  seedCommunity(seeding, EPOCH_MS);
  seedWorkflows(seeding, EPOCH_MS);
  seedSharing(seeding, EPOCH_MS);
  seedApps(seeding, EPOCH_MS);
  seedOauth(seeding, EPOCH_MS);
  seedScanning(seeding, EPOCH_MS);
  seedIssues(seeding, EPOCH_MS);
  seedPulls(seeding, EPOCH_MS);
  seedPraise(seeding, EPOCH_MS);
  seedAutomation(seeding, EPOCH_MS);
  seedConversations(seeding, EPOCH_MS);
}

/** The small world, and around it forty repositories of a company of twenty-five. */
export function seedStandard(seeding: Seeding<GithubSchema>): void {
  seedSmall(seeding);
  seedLivedIn(seeding, STANDARD, EPOCH_MS);
}

/** The same at the size of a large company: four hundred repositories, sixty thousand issues. */
export function seedLarge(seeding: Seeding<GithubSchema>): void {
  seedSmall(seeding);
  seedLivedIn(seeding, LARGE, EPOCH_MS);
}
