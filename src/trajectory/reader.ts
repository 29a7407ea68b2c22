import type { z } from 'zod';
import { type Digest, digestText } from '../base/digest.ts';
import { nearestName, UsageError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { endSchema, headerSchema, messageSchema, stepSchema } from './schema.ts';
import type { EndRecord, HeaderRecord, MessageRecord, StepRecord, Trajectory } from './types.ts';
import { withoutSeal } from './writer.ts';

export interface ReadOptions {
  /** Named in errors. */
  readonly file?: string;
  /** Takes a file that was cut short: whole lines up to the cut, `end` null. */
  readonly allowPartial?: boolean;
}

/** Where the chains stand while a file is read. */
interface Progress {
  readonly file: string;
  readonly steps: StepRecord[];
  readonly messages: MessageRecord[];
  header: HeaderRecord | null;
  end: EndRecord | null;
  /** Hash and line number of the line that the next step, and the next message, must be chained to. */
  stepLink: Link;
  messageLink: Link;
}

interface Link {
  readonly hash: Digest;
  readonly lineNumber: number;
}

const NO_LINK: Link = { hash: '', lineNumber: 0 };

/**
 * Reads a trajectory and verifies it: form of every record, order, both hash chains and the seal, so that no
 * byte of the file can have changed.
 * @throws UsageError naming file and line for a foreign, truncated, reordered or edited file.
 */
export function readTrajectory(text: string, options: ReadOptions = {}): Trajectory {
  const file = options.file ?? 'trajectory';
  const progress: Progress = {
    file,
    steps: [],
    messages: [],
    header: null,
    end: null,
    stepLink: NO_LINK,
    messageLink: NO_LINK,
  };
  const lines = text.split('\n');
  const complete = lines.at(-1) === '';
  if (complete) lines.pop();
  for (const [index, line] of lines.entries()) {
    const torn = !complete && index === lines.length - 1;
    if (torn && options.allowPartial === true && parseLine(line) === undefined) break;
    readLine(progress, line, index + 1);
    if (torn && options.allowPartial !== true) throw noLineBreak(progress, index + 1);
  }
  return finish(progress, lines.length, options.allowPartial ?? false);
}

function finish(progress: Progress, lineCount: number, allowPartial: boolean): Trajectory {
  const { header, steps, messages, end } = progress;
  if (!header)
    throw problem(progress, 1, {
      code: 'empty',
      message: 'the file is empty, a trajectory starts with a header',
    });
  if (!end && !allowPartial) {
    throw problem(progress, lineCount, {
      code: 'truncated',
      message: `the file stops after ${steps.length} steps without an end record: it was cut short`,
    });
  }
  return { header, steps, messages, end };
}

function readLine(progress: Progress, line: string, lineNumber: number): void {
  const value = parseLine(line);
  if (value === undefined) throw notJson(progress, line, lineNumber);
  const type = isJsonObject(value) ? value.type : undefined;
  const input: Line = { value, line, lineNumber };
  if (!progress.header) readHeader(progress, input);
  else if (progress.end)
    throw problem(progress, lineNumber, { code: 'extra', message: 'there is more after the end record' });
  else if (type === 'step') readStep(progress, input);
  else if (type === 'message') readMessage(progress, input);
  else if (type === 'end') readEnd(progress, input);
  else throw unknownType(progress, type, lineNumber);
}

function unknownType(progress: Progress, type: unknown, lineNumber: number): UsageError {
  if (type === 'header') {
    return problem(progress, lineNumber, {
      code: 'foreign',
      message: 'a second header: two trajectories in one file',
    });
  }
  const near = typeof type === 'string' ? nearestName(type, ['step', 'message', 'end']) : undefined;
  return problem(progress, lineNumber, {
    code: 'foreign',
    message: `a record of type ${JSON.stringify(type) ?? 'nothing'} is not known`,
    hint: near ? `did you mean ${near}?` : 'known are step, message and end',
  });
}

interface Line {
  readonly value: unknown;
  readonly line: string;
  readonly lineNumber: number;
}

function readHeader(progress: Progress, input: Line): void {
  const { value, lineNumber } = input;
  if (!isJsonObject(value) || value.type !== 'header' || value.format !== 'groundhog.trajectory') {
    throw problem(progress, lineNumber, {
      code: 'foreign',
      message:
        'this is no Groundhog trajectory: the first line should be a header with format groundhog.trajectory',
    });
  }
  if (value.version !== 1) {
    throw problem(progress, lineNumber, {
      code: 'version',
      message: `format version ${JSON.stringify(value.version)} is not known`,
      hint: 'this release reads version 1',
    });
  }
  progress.header = check(progress, headerSchema, input) as HeaderRecord;
  progress.stepLink = { hash: digestText(input.line), lineNumber };
  progress.messageLink = progress.stepLink;
}

function readStep(progress: Progress, input: Line): void {
  const step = check(progress, stepSchema, input) as StepRecord;
  expectIndex(progress, input.lineNumber, {
    what: 'step',
    index: step.index,
    expected: progress.steps.length,
  });
  expectLink(progress, {
    what: 'step',
    prev: step.prev,
    link: progress.stepLink,
    lineNumber: input.lineNumber,
  });
  progress.steps.push(step);
  progress.stepLink = { hash: digestText(input.line), lineNumber: input.lineNumber };
}

function readMessage(progress: Progress, input: Line): void {
  const message = check(progress, messageSchema, input) as MessageRecord;
  const { lineNumber } = input;
  expectIndex(progress, lineNumber, {
    what: 'message',
    index: message.index,
    expected: progress.messages.length,
  });
  if (message.afterStep !== progress.steps.length) {
    throw problem(progress, lineNumber, {
      code: 'reordered',
      message: `message ${message.index} was said after ${message.afterStep} steps but stands after ${progress.steps.length}`,
    });
  }
  expectLink(progress, { what: 'message', prev: message.prev, link: progress.messageLink, lineNumber });
  progress.messages.push(message);
  progress.messageLink = { hash: digestText(input.line), lineNumber };
}

function readEnd(progress: Progress, input: Line): void {
  const open = withoutSeal(input.line);
  const end = check(progress, endSchema, input) as EndRecord;
  if (open === null || digestText(open) !== end.seal) {
    throw problem(progress, input.lineNumber, {
      code: 'edited',
      message: 'the end record does not match its own seal',
    });
  }
  const { lineNumber } = input;
  for (const [what, stated, found] of [
    ['steps', end.steps, progress.steps.length],
    ['messages', end.messages, progress.messages.length],
  ] as const) {
    if (stated !== found) {
      throw problem(progress, lineNumber, {
        code: 'truncated',
        message: `the end record counts ${stated} ${what}, the file has ${found}`,
      });
    }
  }
  expectLink(progress, { what: 'end', prev: end.lastStep, link: progress.stepLink, lineNumber });
  expectLink(progress, { what: 'end', prev: end.lastMessage, link: progress.messageLink, lineNumber });
  progress.end = end;
}

function expectIndex(
  progress: Progress,
  lineNumber: number,
  { what, index, expected }: { what: string; index: number; expected: number },
): void {
  if (index !== expected) {
    throw problem(progress, lineNumber, {
      code: 'reordered',
      message: `${what} ${index} stands where ${what} ${expected} should: lines are missing or out of order`,
    });
  }
}

function expectLink(
  progress: Progress,
  input: { what: string; prev: Digest; link: Link; lineNumber: number },
): void {
  if (input.prev === input.link.hash) return;
  throw problem(progress, input.link.lineNumber, {
    code: 'edited',
    message: `line ${input.link.lineNumber} is not the line that line ${input.lineNumber} was chained to: one of them was edited`,
  });
}

function check(progress: Progress, schema: z.ZodType, input: Line): unknown {
  const parsed = schema.safeParse(input.value);
  if (parsed.success) return input.value;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  throw problem(progress, input.lineNumber, {
    code: 'form',
    message: `${path === '' ? 'the record' : path}: ${issue?.message ?? 'not of the form that the format asks for'}`,
  });
}

/** The last byte of a file is a line break; a file without it lost its end, if only by that byte. */
function noLineBreak(progress: Progress, lineNumber: number): UsageError {
  return problem(progress, lineNumber, {
    code: 'truncated',
    message: 'the last line has no line break: the file was cut short',
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function notJson(progress: Progress, line: string, lineNumber: number): UsageError {
  if (!progress.header) {
    return problem(progress, lineNumber, {
      code: 'foreign',
      message: 'this is no Groundhog trajectory: the line is not JSON',
    });
  }
  return problem(progress, lineNumber, {
    code: 'truncated',
    message:
      line.trim() === '' ? 'an empty line' : 'the line is not complete JSON: it was cut short or edited',
  });
}

function problem(
  { file }: Progress,
  lineNumber: number,
  { code, message, hint }: { readonly code: string; readonly message: string; readonly hint?: string },
): UsageError {
  return new UsageError(`trajectory-${code}`, message, {
    place: { file, line: Math.max(1, lineNumber) },
    ...(hint !== undefined && { hint }),
  });
}
