import { actionSeers, actionWatchers } from './actions.ts';
import { activitySeers, activityWatchers } from './activity.ts';
import { appMakers, appSeers, appWatchers } from './apps.ts';
import { collaboratorMakers, collaboratorSeers, collaboratorWatchers } from './collaborators.ts';
import { gistMakers, gistSeers, gistWatchers } from './gists.ts';
import { hookMakers, hookSeers, hookWatchers } from './hooks.ts';
import { organizationMakers, organizationSeers, organizationWatchers } from './organizations.ts';
import { peopleMakers, peopleWatchers } from './people.ts';
import { scanningMakers, scanningWatchers } from './scanning.ts';
import { secretMakers, secretWatchers } from './secrets.ts';
import type { Maker, Seer, Watcher } from './sight.ts';
import { teamMakers, teamSeers, teamWatchers } from './teams.ts';

/** What is seen of people, of what they are in, and of what works for them. */
export const organizationAreaSeers: readonly Seer[] = [
  ...activitySeers,
  ...actionSeers,
  ...appSeers,
  ...gistSeers,
  ...hookSeers,
  ...organizationSeers,
  ...collaboratorSeers,
  ...teamSeers,
];

export const organizationAreaMakers: Readonly<Record<string, Maker>> = {
  ...appMakers,
  ...gistMakers,
  ...organizationMakers,
  ...collaboratorMakers,
  ...hookMakers,
  ...peopleMakers,
  ...teamMakers,
  ...secretMakers,
  ...scanningMakers,
};

export const organizationAreaWatchers: Readonly<Record<string, Watcher>> = {
  ...actionWatchers,
  ...activityWatchers,
  ...appWatchers,
  ...gistWatchers,
  ...organizationWatchers,
  ...collaboratorWatchers,
  ...hookWatchers,
  ...peopleWatchers,
  ...teamWatchers,
  ...secretWatchers,
  ...scanningWatchers,
};
