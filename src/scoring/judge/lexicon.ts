import { DEFINITIONS } from '../definitions.ts';
import type { Grader, Invariant } from '../types.ts';

/** Words that tell of something that records show, and what counts it. */
export interface Countable {
  readonly countedBy: string;
  readonly words: RegExp;
}

const metric = (key: keyof typeof DEFINITIONS): string => `the metric \`${DEFINITIONS[key].name}\``;
const invariant = (kind: Invariant['kind']): string => `the invariant kind \`${kind}\``;
const grader = (kind: Grader['kind']): string => `the grader \`${kind}\``;

/** Any of these, as whole words; each is a part of a regular expression. */
function anyOf(...parts: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${parts.join('|')})\\b`, 'u');
}

/** One, and later in the same sentence the other. */
function then(first: string, second: string): string {
  return `(?:${first})\\b[^.?!]*\\b(?:${second})`;
}

const DO =
  '(?:call|invok|us(?:e|ing)|run|ran|read|check|verif|look|fetch|issu|refund|delet|send|sent|mak|made|' +
  'ask|execut|updat|creat|cancel|clos|touch|chang|escalat|quer|search|post)';
const DOES = `${DO}\\w*`;
const NUMBER = '(?:two|three|four|five|six|seven|eight|nine|ten|\\d+|several|multiple|many)';
const REPLIES = '(?:answer|reply|response|message)(?:s|es)?|replies';
const IDS = 'ids?|identifiers?|numbers?|(?:order|ticket|account|customer|invoice|issue|refund) #?\\d+';

/** Quantities, and whether an answer is right: programs say so whatever else stands in the sentence. */
export const QUANTITIES: readonly Countable[] = [
  {
    countedBy: `${grader('answer')} of the scenario, and ${grader('contract')} of what was done`,
    words: anyOf(
      `(?:${REPLIES}|result|outcome) (?:\\w+ )?(?:correct|right|wrong|accurate|true)`,
      `(?:correct|right|wrong|accurate|expected) (?:final )?(?:${REPLIES}|result|outcome)`,
    ),
  },
  {
    countedBy: metric('costPerSuccess'),
    words: anyOf(
      ...['tokens?', 'costs?', 'costly', 'cheap(?:er|ly)?', 'expensive', 'price[sd]?', 'spen[dt]'],
      ...['dollars?', 'euros?', 'cents'],
    ),
  },
  {
    countedBy: metric('wallClockMs'),
    words: anyOf(
      ...['how (?:long|fast|quick\\w*|slow\\w*)', 'latency', 'wall.?clock', 'duration', 'in time'],
      ...['milliseconds?', 'seconds', 'minutes', 'hours'],
    ),
  },
  {
    countedBy: metric('backOff'),
    words: anyOf('retry.?after', 'back(?:ed|ing)?.?off', 'wait(?:ed|ing)? (?:long )?enough'),
  },
  {
    countedBy: metric('steps'),
    words: anyOf(
      then(
        'how many|number of|count of|count the|fewer than|more than|less than|at most|at least|too many',
        'steps?|calls?|turns',
      ),
    ),
  },
  {
    countedBy: `${invariant('cardinality')}, or ${metric('duplicates')} for writes made again`,
    words: anyOf(
      ...['twice', 'thrice', 'how (?:often|many|frequently)', 'number of', 'count(?:ed|s)?', 'frequency'],
      ...[`(?:${NUMBER}|a (?:second|third)|another) times?`, 'second time', 'single time', 'multiple times'],
      ...['a couple of', 'only one', 'more than (?:one|a single)', 'exactly one'],
      '(?:more|less|no more|not more|at most|at least|only|exactly|just) (?:than )?once',
      `${NUMBER} (?:calls?|refunds?|tickets?|writes?|reads?|e-?mails?|messages|orders|issues|attempts)`,
      ...['duplicat\\w*', 'doubl[ey]', 'double[- ](?:refund|charge|call|book|post)\\w*', 'both times'],
    ),
  },
];

/** What records show: a sentence that asks for a judgement may hold these words all the same. */
export const FACTS: readonly Countable[] = [
  {
    countedBy: metric('redundant'),
    words: anyOf(
      ...['repeat(?:ed|s|ing|edly)?', 'again', 're-?(?:call|read|send|sent|try|tried|tries)\\w*'],
      ...['redundant\\w*', 'loop\\w*', 'over and over', 'same (?:tool |read |write )?call'],
    ),
  },
  {
    countedBy: metric('recovered'),
    words: anyOf(
      'recover\\w*',
      then('handle[ds]?|survive[ds]?|cope[ds]?|deal', 'errors?|failures?|time-?outs?|faults?'),
    ),
  },
  {
    countedBy: invariant('grounding'),
    words: anyOf(
      then('(?:mention|quot|name|contain|includ|cit|refer|invent|from)\\w*', IDS),
      then(IDS, '(?:mention|quot|contain|cit|return|invent)\\w*|from|in the (?:answer|reply)'),
    ),
  },
  {
    countedBy: invariant('ordering'),
    words: anyOf(
      ...['before', 'after', 'prior to', 'preced\\w*', 'followed by', 'ahead of', 'first', 'last'],
      ...['in (?:the )?(?:right|correct|wrong) order', 'in (?:this|that|which|what) order', 'out of order'],
      ...['earlier', 'later than', 'until'],
    ),
  },
  {
    countedBy: invariant('arguments'),
    words: anyOf(
      ...['amounts?', 'arguments?', 'parameters?', 'values?', 'quantit(?:y|ies)', 'limits?'],
      ...['above', 'below', 'greater', 'larger', 'smaller', 'higher', 'lower', 'exceed\\w*', 'between \\d+'],
      ...['(?:over|under) \\d+'],
    ),
  },
  {
    countedBy: invariant('prohibition'),
    words: anyOf(
      ...['ever', 'never', 'avoid\\w*', 'refrain\\w*', 'forbidden', 'prohibited', 'not allowed'],
      `without (?:\\w+ )?${DOES}`,
    ),
  },
  {
    countedBy: `${grader('answer')} of the scenario`,
    words: anyOf(
      then(REPLIES, '(?:contain|includ|mention|match|exact|equal|word|say|stat)\\w*'),
      then('(?:contain|includ|mention)\\w*', REPLIES),
    ),
  },
  {
    countedBy: grader('contract'),
    words: anyOf(
      ...['(?:end|final|resulting|world|database)[- ]?(?:state|status|rows?)', 'state', 'status', 'database'],
      ...['rows?', 'records?', 'tables?', 'succeed\\w*', 'success\\w*', 'complete[ds]?', 'solve[ds]?'],
      ...[
        'achieve[ds]?',
        'fulfil\\w*',
        'accomplish\\w*',
        'pass(?:ed)?',
        'fail(?:ed|s)?',
        'outcome correct',
        'ends? up',
        'ended up',
      ],
    ),
  },
  {
    countedBy: invariant('termination'),
    words: anyOf(
      ...['end(?:ed|s)?', 'finish\\w*', 'stop(?:ped|s)?', 'terminat\\w*', 'g[ia]ve up', 'r[ua]n out'],
      ...['answer(?:ed)? at all', 'crash\\w*', 'time[ds]? out'],
      'did (?:it|the (?:agent|assistant|model)) (?:answer|reply|respond)',
    ),
  },
  {
    countedBy: `${grader('reads')} for calls that must be made, ${invariant('prohibition')} for others`,
    words: anyOf(then('did|does|has|have|had|was|were|is|are|which|what|who', DOES), `${DOES} \\w+_\\w+`),
  },
];

/** Words that ask for a judgement. Adverbs do not: *did it sensibly avoid …* asks whether it did. */
export const JUDGEMENT = anyOf(
  ...['sensible', 'reasonable', 'defensible', 'justifi(?:ed|able)', 'sound', 'appropriate', 'suitable'],
  ...['warranted', 'wise', 'understandable', 'coherent', 'makes? sense', 'made sense', 'good', 'best'],
  ...['right', 'logical', 'prudent', 'well[- ](?:chosen|thought|founded|reasoned)'],
);

/** Words that ask whether one thing stands on another. */
export const BORNE_OUT = anyOf(
  ...['support(?:ed|s)?', 'unsupported', 'back(?:ed|s)? (?:up )?by', 'borne? out', 'bear out'],
  ...['follow(?:s|ed)? from', 'rest(?:s|ed)? on', 'consistent with', 'in line with', 'contradict\\w*'],
  ...['faithful\\w*', 'substantiat\\w*', 'grounded in', 'evidence for', 'justified by', 'made[- ]up'],
  ...['hallucinat\\w*', 'unfounded', 'well[- ]founded', "(?:not|n't|never) (?:return|show|find|found)\\w*"],
);

export const PLAN = anyOf(
  ...['plan\\w*', 'approach\\w*', 'strateg\\w+', 'course of action', 'line of work', 'way of working'],
  ...['went about', 'going about', 'order of work'],
);

export const CHOICE = anyOf(
  ...[
    'tool',
    'call(?:ing|ed)?',
    'step',
    'action',
    'choice',
    'chosen',
    'choose',
    'chose',
    'decision',
    'decide[ds]?',
  ],
  ...['pick\\w*', 'move'],
);

export const REPLY = anyOf(
  ...['answer', 'reply', 'replies', 'response', 'claims?', 'conclusions?', 'statements?', 'summary'],
  ...['says', 'said', 'tells', 'told'],
);
