import { claimsOfRun } from './claims.ts';
import { contents } from './content.ts';
import { unmetDemands } from './demands.ts';
import { endings, serviceErrors } from './ending.ts';
import { groundingOfCalls, groundingOfReply } from './grounding.ts';
import { answersAgainstCalls } from './identity.ts';
import { reasoningAgainstCalls, repetitions } from './repetition.ts';
import { conformance } from './schema.ts';
import { Seen } from './seen.ts';
import { readsAfterWrites, sightings } from './sightings.ts';
import { boundsOfAmounts, totals } from './totals.ts';
import type { Finding } from './types.ts';
import type { RunView } from './view.ts';

/** Everything that can be said of a run without knowing any other. */
export function ruleFindings(view: RunView, seen = new Seen(view)): Finding[] {
  return [
    ...conformance(view),
    ...serviceErrors(view),
    ...groundingOfCalls(view, seen),
    ...answersAgainstCalls(view),
    ...sightings(view),
    ...readsAfterWrites(view),
    ...totals(view),
    ...boundsOfAmounts(view),
    ...contents(view),
    ...repetitions(view),
    ...reasoningAgainstCalls(view),
    ...unmetDemands(view),
    ...endings(view),
    ...claimsOfRun(view, seen),
    ...groundingOfReply(view, seen),
  ];
}
