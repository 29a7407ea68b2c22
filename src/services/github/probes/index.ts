import type { Probe } from '../../../service/index.ts';
import { automationProbes } from './automation.ts';
import { gitProbes } from './git.ts';
import { graphProbes } from './graph.ts';
import { issueProbes } from './issues.ts';
import { peopleProbes } from './people.ts';
import { pullAreaProbes } from './pulls.ts';
import { refusalProbes } from './refusals.ts';
import { repositoryAreaProbes } from './repositories.ts';
import { searchProbes } from './search.ts';
import { sharingProbes } from './sharing.ts';

/** One fact per operation at least, each asked of the small seed. */
export const probes: readonly Probe[] = [
  ...peopleProbes,
  ...automationProbes,
  ...sharingProbes,
  ...refusalProbes,
  ...pullAreaProbes,
  ...issueProbes,
  ...graphProbes,
  ...searchProbes,
  ...gitProbes,
  ...repositoryAreaProbes,
];
