import { ruleFindings } from '../rules.ts';
import { Seen } from '../seen.ts';
import type { Finding } from '../types.ts';
import type { RunView } from '../view.ts';
import { againstArithmetic, type Equation, equationsByPlace, learnArithmetic } from './arithmetic.ts';
import { againstFacts, type Facts, learnFacts } from './facts.ts';
import { againstFlows, type Flow, flowsByTarget, learnFlows } from './flows.ts';
import {
  againstImplications,
  type Implication,
  implicationsByCondition,
  learnImplications,
} from './implications.ts';
import { againstOrders, learnOrders, type Orders } from './orders.ts';
import { againstReplies, learnReplies } from './replies.ts';
import { againstShapes, learnShapes, type Shapes } from './shapes.ts';

/** What clean runs have in common. Plain data. */
export interface Habits {
  readonly shapes: Shapes;
  readonly flows: readonly Flow[];
  readonly equations: readonly Equation[];
  readonly facts: Facts;
  readonly implications: readonly Implication[];
  readonly orders: Orders;
  /** Stems of the words of replies. */
  readonly words: readonly string[];
}

export function learnHabits(views: readonly RunView[]): Habits {
  return {
    shapes: learnShapes(views),
    flows: learnFlows(views),
    equations: learnArithmetic(views),
    facts: learnFacts(views),
    implications: learnImplications(views),
    orders: learnOrders(views),
    words: learnReplies(views),
  };
}

/** Everything that rules and, where there are any, habits of clean runs say of a run. */
export function finderOf(habits: Habits | null): (view: RunView) => Finding[] {
  if (habits === null) return (view) => ruleFindings(view);
  const flows = flowsByTarget(habits.flows);
  const equations = equationsByPlace(habits.equations);
  const implications = implicationsByCondition(habits.implications);
  const words = new Set(habits.words);
  return (view) => {
    const seen = new Seen(view);
    return [
      ...ruleFindings(view, seen),
      ...againstShapes(view, habits.shapes),
      ...againstFlows(view, flows),
      ...againstArithmetic(view, equations),
      ...againstFacts(view, habits.facts),
      ...againstImplications(view, implications),
      ...againstOrders(view, habits.orders),
      ...againstReplies(view, seen, words),
    ];
  };
}
